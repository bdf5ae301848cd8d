#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares KakeyaCache with a model's own cache, on random small checkpoints of many families.

usage: family_check.py [--only NAME]... [--device DEVICE] [--without-klt] [--json FILE]

Over codec identity, bfloat16, the logits of a prefill, a prefill in chunks, greedy steps, a padded batch and the
tokens of a beam search must be the same to the last bit, beyond the sliding window too; with keys un-rotated
(tap pre-rope) and over e8:q=10 the greatest difference of a logit is printed. Families that are declared as
unsupported must be refused by name. klt runs with a profile that kakeya.calibrate() makes of the same random checkpoint,
of keys before RoPE, by the package's programs ($KAKEYA_BIN, PATH, or KAKEYA_PYTHON_PROGRAMS); --without-klt leaves it out.

Exits 1, naming the family, where anything is not as declared: logits or tokens that differ, a refusal of the family, of
keys before RoPE or of klt that is not declared here, a declared one that does not come, a family that the installed transformers lacks.
Exits 2 on wrong usage. Needs torch, transformers 5.x and the package kakeya.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import typing

try:
    import torch
    import transformers
    from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

    import kakeya
    from kakeya.transformers import KakeyaCache
except ImportError as error:
    sys.exit(f"family_check: {error}: needs torch, transformers 5.x and kakeya (pip install ./lib/bindings/python)")

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
DEVICE = "cpu"
KLT = "klt:bits=3,page=32"
WINDOW = 24
SMALL = dict(vocab_size=199, hidden_size=64, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
             num_key_value_heads=2, head_dim=16, max_position_embeddings=512, pad_token_id=0, bos_token_id=1, eos_token_id=None)
SLIDING = dict(sliding_window=WINDOW)
HYBRID = dict(SLIDING, layer_types=["sliding_attention", "full_attention"] * 2)
LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)
MOE = dict(num_local_experts=4, num_experts_per_tok=4)  # all: a router that changes its mind would hide what a cache does
MLA = dict(q_lora_rank=None, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=16, n_routed_experts=4,
           num_key_value_heads=4, first_k_dense_replace=4, moe_intermediate_size=32)

EXPERTS = dict(num_experts=4, num_experts_per_tok=4, moe_intermediate_size=32, num_shared_experts=1)
HALF = dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)


class Family(typing.NamedTuple):
    """config: the class of its configuration; changes: what differs from SMALL; refused, klt_refused: what the error must say where
    the family, or klt over it, is not supported."""

    config: str
    changes: dict
    refused: typing.Optional[str] = None
    klt_refused: typing.Optional[str] = None


FAMILIES = {
    "Llama 3": Family("LlamaConfig", dict(rope_parameters=LLAMA3)),
    "Mistral": Family("MistralConfig", SLIDING),
    "Qwen2": Family("Qwen2Config", {}),
    "Qwen3": Family("Qwen3Config", dict(num_key_value_heads=1)),
    "Gemma 2": Family("Gemma2Config", HYBRID),
    "Gemma 3": Family("Gemma3TextConfig", HYBRID),
    "Gemma 4": Family("Gemma4TextConfig", dict(HYBRID, global_head_dim=32, hidden_size_per_layer_input=0, num_kv_shared_layers=0),
                      klt_refused="expected one shape"),
    "GLM-4": Family("Glm4Config", {}),
    "Phi-3": Family("Phi3Config", {}),
    "gpt-oss": Family("GptOssConfig", dict(HYBRID, **MOE)),
    "SmolLM3": Family("SmolLM3Config", dict(no_rope_layers=[1, 1, 0, 1])),
    "EXAONE-MoE": Family("ExaoneMoeConfig", dict(HYBRID, **EXPERTS, first_k_dense_replace=4)),
    "Phi": Family("PhiConfig", dict(head_dim=None, rope_parameters=HALF)),
    "DeepSeek-V2-lite": Family("DeepseekV2Config", MLA, refused="MLA latents"),
    "Qwen3-Next": Family("Qwen3NextConfig", dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
                                                 shared_expert_intermediate_size=32), refused="linear_attention is not supported"),
    "RWKV": Family("RwkvConfig", dict(num_key_value_heads=None, head_dim=None), refused="a recurrent state"),
    "Mamba 2": Family("Mamba2Config", dict(num_attention_heads=None, num_key_value_heads=None, head_dim=16, num_heads=8),
                      refused="linear_attention is not supported"),
}


def model_of(name, **more):
    """A random checkpoint; changes that are None leave out a setting of SMALL."""
    kind, changes = FAMILIES[name].config, FAMILIES[name].changes
    settings = {key: value for key, value in {**SMALL, **changes, **more}.items() if value is not None or key not in changes}
    config = getattr(transformers, kind)(**settings)
    torch.manual_seed(20)
    return AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval().to(DEVICE)


def logits(model, cache, ids, chunks, **arguments):
    """Logits of `ids` in steps of these lengths: [batch, tokens, vocabulary]."""
    parts, first = [], 0
    for chunk in chunks:
        if "attention_mask" in arguments:
            arguments["attention_mask"] = MASK[:, : first + chunk]
            arguments["position_ids"] = POSITIONS[:, first : first + chunk]
        parts.append(model(ids[:, first : first + chunk], past_key_values=cache, use_cache=True, **arguments).logits)
        first += chunk
    return torch.cat(parts, dim=1)


IDS = torch.randint(2, 199, (2, 150), generator=torch.Generator().manual_seed(1))
MASK = torch.ones_like(IDS)
MASK[1, :5] = 0
POSITIONS = (MASK.cumsum(1) - 1).clamp(min=0)
# name: (lengths of the steps, whether row 1 is padded)
MODES = {
    "prefill": ([150], False),
    "chunks": ([40, 1, 63, 46], False),
    "steps": ([130] + [1] * 20, False),
    "padded batch": ([110] + [20] * 2, True),
}


def beams(model, cache):
    return model.generate(IDS[:, :60], attention_mask=torch.ones_like(IDS[:, :60]), past_key_values=cache, num_beams=3,
                          do_sample=False, max_new_tokens=24)


def apart(want, got):
    """The greatest difference of a logit, of the greatest logit."""
    if not bool(torch.isfinite(got).all()):
        return "failed: not finite"
    return f"{(want - got).abs().max().item():.3g} of {want.abs().max().item():.3g}"


def refusal(words, error):
    """The verdict on an error, of which `words` are declared; None: none is."""
    return f"{'' if words and words in str(error) else 'failed: '}refused: {error}"


def calibrated(name):
    """klt over a profile of this checkpoint; its vocabulary is that of the tokenizer that reads the text. What refuses is said."""
    declared = FAMILIES[name].klt_refused
    model, tokenizer = model_of(name, vocab_size=4096), AutoTokenizer.from_pretrained(DATA / "models" / "nano")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.kkp")
        try:
            with torch.enable_grad():
                kakeya.calibrate(model, tokenizer, DATA / "text", path, scope="head", passages=4, ctx=256, sensitivity_passages=1)
            cache = KakeyaCache(model.config, KLT, profile=path)
        except kakeya.Error as error:
            return refusal(declared, error)
        if declared:
            return f"failed: not refused, where '{declared}' is declared"
        want = logits(model, DynamicCache(config=model.config), IDS, MODES["steps"][0])
        return apart(want, logits(model, cache, IDS, MODES["steps"][0]))


def check(name, klt=True):
    """{mode: verdict}, of one family; verdicts that begin with "differs" or "failed" are failures."""
    declared = FAMILIES[name].refused
    model = model_of(name)
    if declared is not None:
        try:
            logits(model, KakeyaCache(model.config, "identity"), IDS, [150])
        except kakeya.Error as error:
            good = declared in str(error)
            return {"refused": ("" if good else "failed: ") + str(error)}
        return {"refused": "failed: nothing was refused"}
    row = {}
    for mode, (chunks, padded) in MODES.items():
        extra = dict(attention_mask=MASK) if padded else {}
        want = logits(model, DynamicCache(config=model.config), IDS, chunks, **extra)
        got = logits(model, KakeyaCache(model.config, "identity"), IDS, chunks, **extra)
        row[mode] = "equal" if torch.equal(want, got) else f"differs by {(want - got).abs().max().item():.3g}"
    same = torch.equal(beams(model, DynamicCache(config=model.config)), beams(model, KakeyaCache(model.config, "identity")))
    row["beams"] = "equal" if same else "differs"
    want = logits(model, DynamicCache(config=model.config), IDS, MODES["steps"][0])
    for title, codec, tap in (("identity, pre-rope", "identity", "pre-rope"), ("e8:q=10", "e8:q=10", "post-rope"),
                              ("e8:q=10, pre-rope", "e8:q=10", "pre-rope")):
        try:
            cache = KakeyaCache(model.config, codec, tap=tap)
        except kakeya.InputError as error:
            row[title] = refusal(None, error)
            continue
        row[title] = apart(want, logits(model, cache, IDS, MODES["steps"][0]))
    bytes_held = cache.live_bytes()
    row["live bytes of bf16"] = f"{bytes_held['total']} of {bytes_held['bf16']}"
    if klt:
        row[KLT] = calibrated(name)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=FAMILIES, metavar="NAME", help="a family: " + ", ".join(FAMILIES))
    parser.add_argument("--device", default="cpu", help="where the models run: cpu, cuda [cpu]")
    parser.add_argument("--without-klt", action="store_true", help="no programs are needed then, and no column is made")
    parser.add_argument("--json", metavar="FILE", help="writes the table there too")
    arguments = parser.parse_args()
    global DEVICE, IDS, MASK, POSITIONS
    DEVICE = arguments.device
    IDS, MASK, POSITIONS = (tensor.to(DEVICE) for tensor in (IDS, MASK, POSITIONS))
    rows = {}
    with torch.no_grad():
        for name in arguments.only or FAMILIES:
            if not hasattr(transformers, FAMILIES[name].config):
                rows[name] = {"refused": f"failed: transformers {transformers.__version__} has no {FAMILIES[name].config}"}
                continue
            try:
                rows[name] = check(name, not arguments.without_klt)
            except Exception as error:  # of one family: the others still run
                rows[name] = {"refused": f"failed: {type(error).__name__}: {error}"}
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, kakeya {kakeya.__version__}\n")
    print("| family | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 1) + "|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(row.get(column, "") for column in columns) + " |")
    if arguments.json:
        versions = {"torch": torch.__version__, "transformers": transformers.__version__, "kakeya": kakeya.__version__}
        with open(arguments.json, "w") as file:
            json.dump({"versions": versions, "families": rows}, file, indent=1)
    failed = [name for name, row in rows.items() if any(str(verdict).startswith(("differs", "failed")) for verdict in row.values())]
    if failed:
        sys.exit(f"family_check: {', '.join(failed)}: not as declared")


if __name__ == "__main__":
    main()
