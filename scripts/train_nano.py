#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small models that the project ships in data/models, from public-domain text.

    scripts/train_nano.py --data DIR --out DIR [--text data/text] [--minutes 5] [--seed 1]     # nano
    scripts/train_nano.py --data DIR --out DIR --key-bias 100 ...                              # nano-bias

DIR of --data holds moby-dick.txt and sotu.txt (or sotu.txt.xz): Moby-Dick and the United States State of the Union
addresses, one address a line. Steps: a byte-level BPE tokenizer is trained on the training part; a Qwen3 decoder (with
--key-bias a Qwen2 decoder whose keys start with that bias: nano_bias.py) is trained on the same text; the weights are rounded to bf16 and measured on the held-out part in float32. Written to
--out: config.json, model.safetensors, tokenizer.json, tokenizer_config.json, training.json, MODEL_CARD.md.

Needs torch, tokenizers and safetensors. nano_model.py is the model.
The number of steps follows from --epochs alone; --minutes is a limit that shortens the schedule on a slow machine
(training.json says so). Seeds fix the data order and the start; sums on a GPU may still differ in the last bits.
"""

import argparse
import hashlib
import json
import lzma
import math
import pathlib
import sys
import time

import tokenizers
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers
from torch import nn

import nano_bias
from nano_model import CONFIG, Nano, head_dim

END_OF_TEXT = "<|endoftext|>"
# Words with their leading space, single digits, runs of punctuation, line ends: the split of the Qwen tokenizers.
SPLIT = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
         r"|\s+(?!\S)|\s+")
SHORT, LONG = 512, CONFIG["max_position_embeddings"]  # sequence lengths in tokens; the last part of the training runs at LONG
LONG_PART = 0.4
BATCH_TOKENS = 32768
LEARNING_RATE, WARMUP_STEPS, FINAL_FACTOR, WEIGHT_DECAY = 2e-3, 200, 0.02, 0.1
EVALUATED_CONTEXTS = (512, 2112)
PASSAGE_TOKENS = 1088


# ---- text ------------------------------------------------------------------------------------------------------------


def read_documents(folder):
    """(training documents, held-out documents). Held out: the last 3 % of Moby-Dick's paragraphs, and every 32nd
    address beginning with the 17th, whole, so that all periods are in both parts."""
    moby_file, sotu_file = folder / "moby-dick.txt", folder / "sotu.txt"
    if not moby_file.exists():
        sys.exit(f"train_nano: {moby_file}: no such file (expected the plain text of Moby-Dick)")
    if sotu_file.exists():
        sotu = sotu_file.read_text(encoding="utf-8")
    elif (folder / "sotu.txt.xz").exists():
        sotu = lzma.decompress((folder / "sotu.txt.xz").read_bytes()).decode("utf-8")
    else:
        sys.exit(f"train_nano: {sotu_file}: no such file (expected the addresses, one a line, plain or .xz)")
    blocks = moby_file.read_text(encoding="utf-8").split("\n\n")
    paragraphs = [" ".join(block.split()) for block in blocks if block.strip()]  # joins hard-wrapped lines
    cut = len(paragraphs) * 97 // 100
    train, held_out = ["\n\n".join(paragraphs[:cut])], ["\n\n".join(paragraphs[cut:])]
    addresses = [line.strip() for line in sotu.split("\n") if line.strip()]
    for number, address in enumerate(addresses):
        (held_out if number % 32 == 16 else train).append(address)
    return train, held_out


def train_tokenizer(documents):
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(documents, trainers.BpeTrainer(
        vocab_size=CONFIG["vocab_size"], special_tokens=[END_OF_TEXT],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False))
    if tokenizer.get_vocab_size() != CONFIG["vocab_size"]:
        sys.exit(f"train_nano: the text gave {tokenizer.get_vocab_size()} tokens, expected {CONFIG['vocab_size']}")
    return tokenizer


def token_stream(tokenizer, documents):
    """All documents, each closed by the end-of-text token."""
    ids = [i for d in documents for i in tokenizer.encode(d).ids + [0]]
    return torch.tensor(ids, dtype=torch.long)


# ---- measuring -------------------------------------------------------------------------------------------------------


@torch.no_grad()
def windows_nll(model, tokens, context):
    """Sum of the negative log-likelihoods in nats and the tokens scored: disjoint windows of `context` tokens, a last
    partial one left out, positions context/2 .. context-1 of each scored."""
    windows = tokens[:len(tokens) // context * context].view(-1, context)
    total, first = 0.0, context // 2
    for window in windows.split(8):
        logits = model(window)[:, first - 1:-1].float()
        total += F.cross_entropy(logits.transpose(1, 2), window[:, first:], reduction="none").double().sum().item()
    return total, windows.shape[0] * (context - first)


def held_out_figures(model, tokenizer, tokens, context):
    total, scored = windows_nll(model, tokens, context)
    windows = tokens[:len(tokens) // context * context].view(-1, context)[:, context // 2:].tolist()
    text_bytes = sum(len(tokenizer.decode(w, skip_special_tokens=False).encode()) for w in windows)
    return {"tokens": scored, "nll": total / scored, "perplexity": math.exp(total / scored),
            "bits_per_byte": total / math.log(2) / text_bytes}


@torch.no_grad()
def passage_figures(model, tokenizer, folder, device):
    """Per text file: its tokens, and the mean NLL of tokens 1 .. 1087 of its first 1088."""
    figures = {}
    for path in sorted(folder.glob("*.txt")):
        ids = tokenizer.encode(path.read_text(encoding="utf-8")).ids
        if len(ids) < PASSAGE_TOKENS:
            sys.exit(f"train_nano: {path.name}: {len(ids)} tokens, expected at least {PASSAGE_TOKENS}")
        x = torch.tensor(ids[:PASSAGE_TOKENS], device=device)[None]
        nll = F.cross_entropy(model(x)[0, :-1].float(), x[0, 1:]).item()
        figures[path.name] = {"tokens_in_file": len(ids), "nll": nll, "perplexity": math.exp(nll)}
    return figures


def unigram_perplexity(train, held_out):
    counts = torch.bincount(train.cpu(), minlength=CONFIG["vocab_size"]).double() + 1  # add-one smoothing
    return math.exp(-(counts / counts.sum()).log()[held_out.cpu()].mean().item())


@torch.no_grad()
def sample(model, tokenizer, prompt, count, seed, device):
    generator = torch.Generator().manual_seed(seed)
    ids = tokenizer.encode(prompt).ids
    for _ in range(count):
        logits = model(torch.tensor([ids], device=device))[0, -1].float().cpu() / 0.8
        logits[logits < logits.topk(40).values[-1]] = -math.inf
        ids.append(int(torch.multinomial(logits.softmax(0), 1, generator=generator)))
    return tokenizer.decode(ids)


# ---- training --------------------------------------------------------------------------------------------------------


def batches(tokens, length, batch_tokens, generator):
    """Endless batches [sequences, length]; each pass cuts the stream at a fresh offset and shuffles the pieces."""
    per_batch = max(1, batch_tokens // length)
    while True:
        offset = int(torch.randint(length, (1,), generator=generator))
        pieces = tokens[offset:offset + (len(tokens) - offset) // length * length].view(-1, length)
        order = torch.randperm(len(pieces), generator=generator)
        for rows in order.split(per_batch):
            if len(rows) == per_batch:
                yield pieces[rows.to(pieces.device)]


def train(args, model, tokens, held_out, device):
    """Trains in place and returns the record of the run; the model ends with the weights of the best measurement."""
    decayed = [p for p in model.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() != 2]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": WEIGHT_DECAY},
                                   {"params": others, "weight_decay": 0.0}], lr=args.learning_rate, betas=(0.9, 0.95))
    generator = torch.Generator().manual_seed(args.seed)
    source = {n: batches(tokens, n, args.batch_tokens, generator) for n in (SHORT, LONG)}
    steps = max(2, int(args.epochs * len(tokens) / args.batch_tokens))
    every = max(1, steps // 24)
    best, best_state, history, begin, progress, step = math.inf, None, [], time.time(), 0.0, 0
    while progress < 1:
        progress = max((step + 1) / steps, (time.time() - begin) / (60 * args.minutes))
        rate = FINAL_FACTOR + (1 - FINAL_FACTOR) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
        for group in optimizer.param_groups:
            group["lr"] = args.learning_rate * min(1.0, (step + 1) / WARMUP_STEPS) * rate
        x = next(source[SHORT if progress < 1 - LONG_PART else LONG])
        model.train()
        with torch.autocast(device.type, dtype=torch.bfloat16):
            logits = model(x)
        loss = F.cross_entropy(logits[:, :-1].float().flatten(0, 1), x[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % every == 0 or progress >= 1:
            model.eval()
            total, scored = windows_nll(model, held_out, SHORT)
            history.append({"step": step, "train_nll": loss.item(), "held_out_nll": total / scored})
            if not math.isfinite(loss.item() + total):
                sys.exit(f"train_nano: step {step}: the loss is not finite")
            print(f"step {step}/{steps}  train {loss.item():.4f}  held out {total / scored:.4f}  "
                  f"{time.time() - begin:.0f} s", flush=True)
            if total / scored < best:
                best, best_step = total / scored, step
                best_state = {k: v.detach().clone() for k, v in model.state_dict().items()}
    model.load_state_dict(best_state)
    return {"steps": step, "steps_planned": steps, "best_step": best_step, "epochs": step * args.batch_tokens / len(tokens),
            "seconds": round(time.time() - begin, 1), "history": history}


# ---- output ----------------------------------------------------------------------------------------------------------


def write_card(out, record, config):
    r, c = record, config
    held = "\n".join(f"| {n} | {f['tokens']} | {f['nll']:.4f} | {f['perplexity']:.2f} | {f['bits_per_byte']:.3f} |"
                     for n, f in r["held_out"].items())
    texts = "\n".join(f"| {n} | {f['tokens_in_file']} | {f['nll']:.4f} | {f['perplexity']:.1f} |"
                      for n, f in r["passages"].items())
    digests = "\n".join(f"| {n} | {d['bytes']} | {d['sha256']} |" for n, d in r["files"].items())
    t = r["training"]
    bias = r["arguments"].get("key_bias", 0)
    name, command = ("nano-bias", f" --key-bias {bias:g}") if bias else ("nano", "")
    norm = "biases on queries, keys and values" if bias else "RMS norm on queries and keys"
    section = "\n" + nano_bias.card_section(bias, r["arguments"]["seed"], r["key_bias"]) if bias else ""
    purpose = ("for tests and for the quickstart: large enough to have the structure of real keys and\n"
               f"values (grouped heads of {head_dim(c)}, QK-norm, rotary positions, a context past 2112 tokens), small enough to ship. It is not\n"
               "meant to write or to know anything. Apache-2.0.") if not bias else (
               "whose keys carry a strong static direction, as those of Qwen2 do: for tests of the\n"
               f"centring of keys, small enough to ship. Grouped heads of {head_dim(c)}, rotary positions, a context past 2112 tokens. It is not\n"
               "meant to write or to know anything. Apache-2.0.")
    limit = "all" if t["steps"] == t["steps_planned"] else "the schedule was shortened to the time limit"
    (out / "MODEL_CARD.md").write_text(f"""# {name}

A small English language model {purpose}

**Architecture.** {'Qwen2' if bias else 'Qwen3'} decoder: {c['num_hidden_layers']} layers, hidden size {c['hidden_size']}, {c['num_attention_heads']} query heads and
{c['num_key_value_heads']} key/value heads of dimension {head_dim(c)}, {norm}, SwiGLU of {c['intermediate_size']}, tied
embeddings, RoPE base {c['rope_theta']:.0f} (rotate-half), context {c['max_position_embeddings']}. {r['parameters']:,} parameters in bf16.

**Tokenizer.** Byte-level BPE, {c['vocab_size']} tokens, trained on the training text; id 0 is `{END_OF_TEXT}`; no normaliser, no
token added before or after a text.

**Data.** Moby-Dick (Herman Melville, 1851) and the State of the Union addresses of the presidents of the United States
(1790-2021), both in the public domain: {r['train_tokens']:,} training tokens ({r['train_bytes']:,} bytes). Held out: the last 3 % of
Moby-Dick's paragraphs and every 32nd address, whole: {r['held_out_tokens']:,} tokens ({r['held_out_bytes']:,} bytes).

**Training.** `scripts/train_nano.py --epochs {r['arguments']['epochs']:g} --dropout {r['arguments']['dropout']:g} --learning-rate {r['arguments']['learning_rate']:g} --seed {r['arguments']['seed']}{command}` on one
{r['device']}: AdamW (0.9, 0.95), weight decay {WEIGHT_DECAY}, {WARMUP_STEPS} steps of warm-up and a cosine down to {FINAL_FACTOR:g} of the peak rate, batches
of {r['arguments']['batch_tokens']} tokens in sequences of {SHORT}, in the last {100 * LONG_PART:.0f} % of the run of {LONG}; bf16 autocast, float32 weights.
{t['steps']} steps of {t['steps_planned']} planned ({limit}): {t['epochs']:.1f} epochs, {t['seconds']:.0f} s. The weights kept are those of
step {t['best_step']}, the lowest loss on the held-out text among {len(t['history'])} measurements.
{section}
**Held-out likelihood**, weights as shipped (bf16), arithmetic in float32; disjoint windows, the second half of each
scored. A unigram model of the training text (add-one smoothing) has a perplexity of {r['unigram_perplexity']:.1f}.

| context | tokens scored | nats per token | perplexity | bits per byte |
|---|---|---|---|---|
{held}

**On the texts the project ships** (data/text; another kind of prose than the training text), first {PASSAGE_TOKENS} tokens in one
window, scored from the second token:

| text | tokens in the file | nats per token | perplexity |
|---|---|---|---|
{texts}

**Sample**, after "{r['sample_prompt']}" (temperature 0.8, the 40 likeliest tokens):

> {r['sample'].replace(chr(10), chr(10) + '> ')}

**Files**

| file | bytes | sha256 |
|---|---|---|
{digests}
""", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder of moby-dick.txt and sotu.txt[.xz]")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder to write")
    parser.add_argument("--text", type=pathlib.Path, default=pathlib.Path(__file__).parents[1] / "data" / "text",
                        help="folder of .txt passages to measure at the end (default data/text)")
    parser.add_argument("--minutes", type=float, default=30, help="limit of the training itself")
    parser.add_argument("--epochs", type=float, default=40)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--learning-rate", type=float, default=LEARNING_RATE)
    parser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--key-bias", type=float, default=0, metavar="SCALE",
                        help="train the variant with biases (Qwen2), key biases planted up to SCALE (nano-bias has 100; default 0: nano)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    if args.key_bias < 0:
        parser.error(f"--key-bias {args.key_bias:g}: expected 0 or more")
    config = nano_bias.BIAS_CONFIG if args.key_bias else CONFIG
    device = torch.device(args.device)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)

    train_documents, held_documents = read_documents(args.data)
    tokenizer = train_tokenizer(train_documents)
    train_tokens = token_stream(tokenizer, train_documents).to(device)
    held_tokens = token_stream(tokenizer, held_documents).to(device)
    model = Nano(args.dropout, config).to(device)
    if args.key_bias:
        nano_bias.plant(model, args.key_bias, args.seed)
    parameters = sum(p.numel() for p in model.parameters())
    print(f"{len(train_tokens)} training tokens, {len(held_tokens)} held out, {parameters} parameters, {device}", flush=True)
    training = train(args, model, train_tokens, held_tokens, device)

    weights = {n: p.detach().to("cpu", torch.bfloat16).contiguous() for n, p in model.named_parameters()}
    save_file(weights, args.out / "model.safetensors", metadata={"format": "pt"})
    (args.out / "model.safetensors").chmod(0o644)
    (args.out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save(str(args.out / "tokenizer.json"))
    (args.out / "tokenizer_config.json").write_text(json.dumps({
        "eos_token": END_OF_TEXT, "model_max_length": CONFIG["max_position_embeddings"],
        "tokenizer_class": "PreTrainedTokenizerFast"}, indent=2) + "\n")
    with torch.no_grad():  # measure what the file holds
        for name, weight in model.named_parameters():
            weight.copy_(weights[name])
    model.eval()
    prompt = "The captain of the ship"
    record = {
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU",
        "versions": {"torch": torch.__version__, "tokenizers": tokenizers.__version__},
        "arguments": {k: v for k, v in vars(args).items() if k in ("epochs", "dropout", "learning_rate", "batch_tokens", "seed")},
        "parameters": parameters,
        "train_tokens": len(train_tokens), "train_bytes": sum(len(d.encode()) for d in train_documents),
        "held_out_tokens": len(held_tokens), "held_out_bytes": sum(len(d.encode()) for d in held_documents),
        "unigram_perplexity": unigram_perplexity(train_tokens, held_tokens),
        "held_out": {str(n): held_out_figures(model, tokenizer, held_tokens, n) for n in EVALUATED_CONTEXTS},
        "passages": passage_figures(model, tokenizer, args.text, device),
        "sample_prompt": prompt, "sample": sample(model, tokenizer, prompt, 120, args.seed, device),
        "training": training,
        "files": {n: {"bytes": (args.out / n).stat().st_size,
                      "sha256": hashlib.sha256((args.out / n).read_bytes()).hexdigest()}
                  for n in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")},
    }
    if args.key_bias:
        record["arguments"]["key_bias"] = args.key_bias
        record["key_bias"] = nano_bias.static_shares(model, held_tokens, SHORT)
    (args.out / "training.json").write_text(json.dumps(record, indent=1) + "\n")
    write_card(args.out, record, config)
    print(json.dumps({k: record[k] for k in ("unigram_perplexity", "held_out", "passages", "sample")}, indent=1))


if __name__ == "__main__":
    main()
