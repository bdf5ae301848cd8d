#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-generate: text over a packed cache, saved and restored.

usage: generate.py BIN [unittest arguments]
"""
import ast
import hashlib
import json
import os
import shutil
import subprocess

from program_case import ROOT, ProgramCase, command, document, halves_of_texts, main, output, run, scratch_folder, shallow_nano

PROMPT = "The tide comes in, and the harbour fills. " * 6
NANO = ("generate", "--model", "nano")
PACKED = ("--codec", "ece8:bits=4,center=mean,page=64", "--sinks", "4", "--residual-window", "8", "--skip-edge-layers", "1")


class Generate(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def test_bf16_and_packed(self):
        plain = document(*NANO, "--prompt", PROMPT, "--max-tokens", "120")
        packed = document(*NANO, "--prompt", PROMPT, "--max-tokens", "120", *PACKED)
        for answer in (plain, packed):
            self.assertEqual(len(answer["tokens"]), 120)
            self.assertEqual(sum(answer["live"].values()), answer["live_bytes"])
            self.assertGreater(answer["tokens_per_second"], 0)
            self.assertGreater(answer["time_to_first_token"], 0)
        self.assertEqual((plain["codec_k"], packed["codec_v"]), ("identity", "ece8:bits=4,center=mean,page=64"))
        tokens = plain["prompt_tokens"] + 119  # the last one is not in the cache
        self.assertEqual(packed["bf16_bytes"], plain["bf16_bytes"])
        self.assertEqual(plain["bf16_bytes"], 2 * 2 * 8 * 2 * 128 * tokens)
        self.assertLess(packed["live_bytes"], 0.8 * packed["bf16_bytes"])  # 2 of 8 layers, the open page and the window are bf16
        self.assertGreater(plain["live_bytes"], plain["bf16_bytes"])

    def test_greedy_does_not_depend_on_chunks_and_streams_its_text(self):
        answers = [document(*NANO, "--prompt", PROMPT, "--max-tokens", "40", "--prefill-chunk", chunk) for chunk in ("1", "7", "512")]
        for answer in answers[1:]:
            self.assertEqual(answer["tokens"], answers[0]["tokens"])
        self.assertEqual(output(*NANO, "--prompt", PROMPT, "--max-tokens", "40"), answers[0]["text"] + "\n")

    def test_restored_goes_on_as_if_it_had_not_stopped(self):
        cache = self.folder / "c.kkv"
        for sampling in ((), ("--temperature", "0.9", "--top-p", "0.95", "--seed", "5")):
            whole = document(*NANO, "--prompt", PROMPT, "--max-tokens", "90", *PACKED, *sampling)
            first = document(*NANO, "--prompt", PROMPT, "--max-tokens", "35", "--save-cache", cache, *PACKED, *sampling)
            second = document(*NANO, "--load-cache", cache, "--max-tokens", "55", *sampling)  # codec and policy are the file's
            self.assertEqual(first["tokens"] + second["tokens"], whole["tokens"])
            self.assertEqual(second["prompt_tokens"], first["prompt_tokens"] + 35)
            self.assertEqual(second["live"]["pages"], whole["live"]["pages"])
            output(*NANO, "--prompt", PROMPT, "--max-tokens", "0", "--save-cache", cache, *PACKED, *sampling)
            again = document(*NANO, "--load-cache", cache, "--max-tokens", "90", *PACKED, *sampling)
            self.assertEqual(again["tokens"], whole["tokens"])
            self.assertEqual(first["text"] + second["text"], whole["text"])

    def test_restored_where_the_last_token_of_the_prompt_seals_a_page(self):
        cache, packed = self.folder / "c.kkv", ("--codec", "ece8:bits=2,page=64", *PACKED[2:6], "--skip-edge-layers", "0")
        words = "tide comes in and goes out ".split() * 20
        for count in range(40, 100):
            prompt = " ".join(words[:count])
            if document("perplexity", "--model", "nano", "--text", self.write(prompt), "--tokenize", "--special")["tokens"] == 4 + 64 + 8:
                break
        else:
            self.fail("no prompt of 76 tokens")
        whole = document(*NANO, "--prompt", prompt, "--max-tokens", "40", *packed)
        output(*NANO, "--prompt", prompt, "--max-tokens", "0", "--save-cache", cache, *packed)
        self.assertEqual(document(*NANO, "--load-cache", cache, "--max-tokens", "40")["tokens"], whole["tokens"])

    def write(self, text):
        path = self.folder / "prompt.txt"
        path.write_text(text)
        return path

    def test_ended_is_ended(self):
        cache, model = self.folder / "c.kkv", self.folder / "model"
        tokens = document(*NANO, "--prompt", PROMPT, "--max-tokens", "12")["tokens"]
        last = next(i for i in range(5, 12) if tokens[i] not in tokens[:i])
        shutil.copytree(ROOT / "data" / "models" / "nano", model)
        config = json.loads((model / "config.json").read_text())
        (model / "config.json").write_text(json.dumps({**config, "eos_token_id": [tokens[last], 4095]}))
        ends = ("generate", "--model", model)
        whole = document(*ends, "--prompt", PROMPT, "--max-tokens", "12", "--save-cache", cache)
        self.assertEqual((whole["tokens"], whole["ended"]), (tokens[:last + 1], True))
        again = document(*ends, "--load-cache", cache, "--max-tokens", "12")
        self.assertEqual((again["tokens"], again["ended"], again["tokens_per_second"]), ([], True, None))
        on = document(*ends, "--load-cache", cache, "--ignore-end", "--max-tokens", str(11 - last))
        self.assertEqual(tokens, whole["tokens"] + on["tokens"])
        self.assertFalse(document(*ends, "--prompt", PROMPT, "--max-tokens", "12", "--ignore-end")["ended"])

    def test_prompt_files_and_codecs_of_their_own(self):
        answer = document(*NANO, "--prompt-file", self.write(PROMPT), "--codec-k", "q8_0", "--codec-v", "q4_0", "--max-tokens", "8")
        self.assertEqual((answer["codec_k"], answer["codec_v"], len(answer["tokens"])), ("q8_0", "q4_0", 8))
        self.assertEqual(document(*NANO, "--prompt", PROMPT, "--max-tokens", "0")["time_to_first_token"], None)

    def test_logits_are_saved(self):
        path = self.folder / "logits.npy"
        for count in (3, 0):
            tokens = document(*NANO, "--prompt", PROMPT, "--max-tokens", count, "--save-logits", path)["tokens"]
            data = path.read_bytes()
            begin = 10 + int.from_bytes(data[8:10], "little")
            self.assertEqual(ast.literal_eval(data[10:begin].decode()), {"descr": "<f4", "fortran_order": False, "shape": (count, 4096)})
            rows = [memoryview(data[begin + 4 * 4096 * row:begin + 4 * 4096 * (row + 1)]).cast("f").tolist() for row in range(count)]
            self.assertEqual([row.index(max(row)) for row in rows], tokens)
            self.assertEqual(len(data), begin + 4 * 4096 * count)

    def test_more_text_behind_a_restored_cache(self):
        cache = self.folder / "c.kkv"
        output(*NANO, "--prompt", PROMPT, "--max-tokens", "0", "--save-cache", cache)
        more = document(*NANO, "--load-cache", cache, "--prompt", " Then a boat", "--max-tokens", "20")
        whole = document(*NANO, "--prompt", PROMPT + " Then a boat", "--max-tokens", "20")
        self.assertEqual(more["tokens"], whole["tokens"])

    def test_what_does_not_fit_a_saved_cache_is_named(self):
        cache = self.folder / "c.kkv"
        output(*NANO, "--prompt", PROMPT, "--max-tokens", "4", "--save-cache", cache, *PACKED)
        go_on = (*NANO[1:], "--load-cache", cache)
        for flags, names in ((("--codec", "fp8", *PACKED[2:]), ("codec", "ece8:bits=4", "fp8")),
                             ((*PACKED[:2], "--sinks", "5", *PACKED[4:]), ("5 sink", "4 sink")),
                             (("--dtype", "bf16"), ("fp32", "bf16")),
                             (("--tap", "post-rope"), ("tap", "pre-rope", "post-rope"))):
            self.fails(1, "generate", *go_on, *flags, names=("c.kkv", *names))
        damaged = bytearray(cache.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        cache.write_bytes(damaged)
        self.fails(1, "generate", *go_on, *PACKED, names=("c.kkv",))

    def test_a_saved_cache_of_another_model_tokenizer_or_profile_is_named(self):
        cache, copies = self.folder / "c.kkv", {name: self.folder / name for name in ("weights", "words", "base")}
        output(*NANO, "--prompt", PROMPT, "--max-tokens", "4", "--save-cache", cache)
        nano = ROOT / "data" / "models" / "nano"
        for copy in copies.values():
            shutil.copytree(nano, copy)
        weights = bytearray((nano / "model.safetensors").read_bytes())
        weights[-2] ^= 1  # of one weight
        (copies["weights"] / "model.safetensors").write_bytes(weights)
        (copies["words"] / "tokenizer.json").write_text((nano / "tokenizer.json").read_text() + "\n")
        config = json.loads((nano / "config.json").read_text())
        (copies["base"] / "config.json").write_text(json.dumps({**config, "rope_theta": 20000.0}))
        token_digests = [hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest() for folder in (nano, copies["words"])]
        for model, names in ((copies["weights"], ("of model nano, sha256 ", "expected weights, sha256 ")), (copies["base"], ("of model nano", "expected base")),
                             (shallow_nano(self.folder, 4), ("of model nano, sha256 ", "expected nano-4, sha256 ")),
                             (copies["words"], ("with tokenizer ", "expected words, ", *token_digests))):
            self.fails(1, "generate", "--model", model, "--load-cache", cache, names=("c.kkv: saved sequence: ", *names))
        done = run("generate", "--model", copies["weights"], "--load-cache", cache)
        self.assertNotIn("tokenizer", done.stderr)  # which is the same

        texts, profiles = halves_of_texts(self.folder), [self.folder / "a.h5", self.folder / "b.h5"]
        shorts = []
        for text, profile in zip(texts, profiles):
            made = document("calibrate", "--model", "nano", "--text", text, "--passages", "2", "--ctx", "256", "--sensitivity-passages", "1", "--scope", "head",
                            "--out", profile)
            shorts.append(made["digest"][:16])
        klt = ("--codec", "klt:bits=3")
        first = document(*NANO, "--prompt", PROMPT, "--max-tokens", "130", *klt, "--profile", profiles[0], "--save-cache", cache)
        go_on = (*NANO[1:], "--load-cache", cache, "--max-tokens", "8")
        self.assertEqual(document("generate", *go_on, "--profile", profiles[0])["codec_k"], first["codec_k"])
        self.fails(1, "generate", *go_on, names=(f"profile={shorts[0]}", "no profile given", "expected the profile of klt that it names, by --profile"))
        self.fails(1, "generate", *go_on, "--profile", profiles[1],
                   names=(f"profile={shorts[0]}", f"given: {profiles[1]} (of klt, {shorts[1]})", "expected the profile of klt that it names"))
        self.fails(1, "generate", *go_on, *klt, "--profile", profiles[1],
                   names=("c.kkv", f"codec of the keys klt:bits=3,profile={shorts[0]}, expected klt:bits=3,profile={shorts[1]}"))

    def killed_while_saving(self, path, bytes_there, *words):
        """A run that saves to `path`, killed as soon as so many bytes stand beside it, or with None when they have taken its
        place; how many it left beside it, or None. It may have been too quick for that."""
        running = subprocess.Popen(command(*words, "--save-cache", path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begun = False

        def beside():
            try:
                return os.stat(f"{path}.{running.pid}.0.part").st_size
            except FileNotFoundError:
                return None

        while running.poll() is None:  # without a pause: a save takes milliseconds
            there = beside()
            begun = begun or there is not None
            if begun and there is None if bytes_there is None else there is not None and there >= bytes_there:
                break
        running.kill()
        running.wait(timeout=300)
        return beside()

    def test_killed_while_it_saves(self):
        """The old file or the new one. What makes sure that a save was hit: a kill between its first byte and its taking the
        old one's place leaves the unfinished file beside it, and each moment is tried until one did."""
        path, whole, on = self.folder / "c.kkv", {}, {}
        prompts = {"old": PROMPT * 9, "new": PROMPT * 9 + "A boat of snow"}  # megabytes
        for name, prompt in prompts.items():
            output(*NANO, "--prompt", prompt, "--max-tokens", "0", "--save-cache", self.folder / name)
            whole[name] = (self.folder / name).read_bytes()
            on[name] = document(*NANO, "--prompt", prompt, "--max-tokens", "8")["tokens"]
        self.assertNotEqual(on["old"], on["new"])
        saves = (*NANO, "--prompt", prompts["new"], "--max-tokens", "0")
        for moment in (0, len(whole["new"]) // 3, len(whole["new"]), None):
            for _ in range(30):
                path.write_bytes(whole["old"])
                beside = self.killed_while_saving(path, moment, *saves)
                found = path.read_bytes()
                name = "new" if found == whole["new"] else "old"
                self.assertTrue(found == whole[name], f"{len(found)} bytes, neither the old file nor the new one")
                self.assertEqual(document(*NANO, "--load-cache", path, "--max-tokens", "8")["tokens"], on[name])
                if (beside is None, name) == ((True, "new") if moment is None else (False, "old")):
                    break
            else:
                self.fail(f"no save was hit when {moment} bytes were there")
        left = sorted(self.folder.glob("c.kkv.*.part"))
        self.assertGreaterEqual(len(left), 3)
        output(*saves, "--save-cache", path)  # beside all that
        self.assertTrue(path.read_bytes() == whole["new"])
        self.assertEqual(sorted(self.folder.glob("c.kkv.*.part")), left)

    def test_chat(self):
        model = self.folder / "model"
        shutil.copytree(ROOT / "data" / "models" / "nano", model)
        chat = ("generate", "--model", model, "--chat", "--max-tokens", "8")
        self.fails(1, *chat, "--prompt", "Hi", names=("chat template", "tokenizer_config.json"))
        (model / "chat_template.jinja").write_text("{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n\n{% endfor %}\n"
                                                   "{% if add_generation_prompt %}assistant:{% endif %}")
        answer = document(*chat, "--prompt", " Hi ", "--system", "Be kind.")
        plain = document("generate", "--model", model, "--max-tokens", "8", "--prompt", "system: Be kind.\n\nuser: Hi\n\nassistant:")
        special = plain["prompt_tokens"] - answer["prompt_tokens"]  # the template puts everything there is
        self.assertIn(special, (0, 1))
        if not special:
            self.assertEqual(answer["tokens"], plain["tokens"])
        bare, empty = (document(*chat, "--prompt", "Hi", *more) for more in ((), ("--system", "")))
        self.assertGreater(empty["prompt_tokens"], bare["prompt_tokens"])
        (model / "chat_template.jinja").write_text("a\n{{ messages | sum }}")
        self.fails(1, *chat, "--prompt", "Hi", names=("line 2", "filter sum"))
        self.fails(2, *chat, "--load-cache", "x.kkv", names=("--chat", "--load-cache"))
        self.fails(2, *NANO, "--prompt", "Hi", "--system", "Be kind.", names=("--system", "--chat"))

    def test_sums_of_packed_vectors(self):
        """Over one cache: logits within 2 % of the largest, keys before RoPE and after it."""
        cache, words = self.folder / "c.kkv", ("--codec", "e8:q=10", "--sinks", "4", "--skip-edge-layers", "0")
        for tap in ("pre-rope", "post-rope"):
            output(*NANO, "--prompt", PROMPT * 4, "--max-tokens", "0", "--save-cache", cache, "--tap", tap, *words)
            logits = []
            for name, sums in (("decoded", ()), ("packed", ("--packed-sums",))):
                output(*NANO, "--load-cache", cache, "--max-tokens", "1", "--save-logits", self.folder / f"{name}.npy", *sums)
                logits.append(memoryview((self.folder / f"{name}.npy").read_bytes()[-4 * 4096:]).cast("f"))
            most = max(map(abs, logits[0]))
            difference = max(abs(a - b) for a, b in zip(*logits))
            self.assertGreater(difference, 0, tap)
            self.assertLess(difference, 0.02 * most, tap)
        self.fails(1, *NANO, "--prompt", "a", "--codec", "q8_0", "--packed-sums", names=("values: of a codec without sums",))
        self.fails(1, *NANO, "--prompt", "a", "--codec-v", "e8:q=10", "--tap", "post-rope", "--packed-sums", names=("keys: of a codec without sums",))

    def test_refusals(self):
        self.fails(2, *NANO, names=("--prompt",))
        self.fails(2, *NANO, "--prompt", "a", "--temperature", "-1", names=("temperature", "-1"))
        self.fails(2, *NANO, "--prompt", "a", "--temperature", "1", "--top-p", "0", names=("top-p",))
        for flag in ("--top-p", "--top-k", "--seed"):
            self.fails(2, *NANO, "--prompt", "a", flag, "1", names=(flag, "--temperature"))
        self.fails(1, *NANO, "--prompt-file", self.folder / "none.txt", names=("none.txt",))
        self.fails(2, *NANO, "--prompt", "a", "--codec", "fp8", "--codec-k", "fp8", names=("--codec",))
        self.fails(2, *NANO, "--prompt", "a", "--codec", "nosuch:b=1", names=("nosuch",))
        self.fails(1, *NANO, "--prompt", "a", "--max-tokens", "100000", names=("100000", "context"))
        self.fails(1, *NANO, "--prompt", "", names=("empty prompt",))
        self.fails(1, *NANO, "--load-cache", self.folder / "none.kkv", names=("none.kkv",))


if __name__ == "__main__":
    main()
