# SPDX-License-Identifier: Apache-2.0
"""A host's forward: what a tap sees, what it writes, two versions of keys and values, against the models themselves."""

import functools
import unittest

try:
    import numpy
    import torch

    import kakeya
    from program import MODELS, PARTS, WINDOW, WITHOUT_ROPE, Program, ids_of, model_of, own_logits, sites
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
TOKENS = 70


def tap_of(point, sites, pairs=False, window=0):
    return {"point": point, "sites": sites, "pairs": pairs, "window": window}


class Hosted(unittest.TestCase):
    def each(self, names=MODELS, **options):
        for name in names:
            with self.subTest(name):
                model = model_of(name, **options)
                program = Program(model)
                facts = program.open(dtype="bf16" if options.get("dtype") == torch.bfloat16 else "fp32")
                self.assertNotIn("error", facts, facts)
                try:
                    yield name, model, program, facts
                finally:
                    program.close()


class Identity(Hosted):
    def test_a_tap_that_changes_nothing_changes_no_bit(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each():
            want = own_logits(model, ids)
            for pairs in (False, True):
                tap = tap_of("post-rope", sites(facts["layers"], "2", "2", "1"), pairs)
                got = program.logits(facts["handle"], ids, 0, TOKENS, tap)
                self.assertTrue(torch.equal(want, got), name)
            self.assertTrue(torch.equal(want, program.logits(facts["handle"], ids, 0, TOKENS)))
            some = program.logits(facts["handle"], ids, 11, 5)
            self.assertLess((want[11:16] - some).abs().max().item(), 1e-5 * want.abs().max().item())

    def test_rows_in_slices(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Llama"]):
            want = program.logits(facts["handle"], ids, 10, 50)
            for rows in (50, 60, 25, 16, 1):
                parts = []

                def keep(call):
                    parts.append(torch.from_numpy(program.array(call["at"], call["rows"], -1).copy()))
                    self.assertLessEqual(call["rows"], rows)

                reply = program.ask("logits", keep, handle=facts["handle"], tokens=program.put(ids), first=10, count=50, tap=None, slice=rows)
                parts.append(torch.from_numpy(program.array(reply["at"], -1, facts["vocab"]).copy()))
                self.assertTrue(torch.equal(torch.cat(parts), want), rows)

    def test_bf16_and_its_logits_in_float32(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Llama", "Gemma 3"], dtype=torch.bfloat16):
            want = own_logits(model, ids)
            got = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("post-rope", sites(4, "2", "2", "1")))
            self.assertTrue(torch.equal(want, got.to(torch.bfloat16).float()) or (want - got).abs().max() < 2**-7 * want.abs().max())
            self.assertFalse(torch.equal(got, got.to(torch.bfloat16).float()), "logits are rounded to bf16")

    def test_the_model_is_what_it_was(self):
        model = model_of("Llama")
        model.config._attn_implementation = "sdpa"
        program = Program(model)
        program.logits(program.open()["handle"], ids_of(9), 0, 1, tap_of("pre-rope", sites(4, "2", "2", "1")))
        program.close()
        self.assertEqual(model.config._attn_implementation, "sdpa")
        self.assertFalse(any(module._forward_hooks or module._forward_pre_hooks for module in model.modules()))


class Seen(Hosted):
    def test_what_is_shown_and_in_which_order(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Gemma 3"]):
            program.ask("prefill", handle=facts["handle"], tokens=program.put(ids), tap=tap_of("post-rope", "101" + "210" + "000" + "021"))
            order = [tuple(call["visit"]) for call in program.calls]
            self.assertEqual(order, [(0, "key"), (0, "query"), (1, "key"), (1, "value"), (3, "value"), (3, "query")])
            self.assertEqual({(call["tokens"], call["first_token"], call["exact"]) for call in program.calls}, {(TOKENS, 0, None)})

    def test_keys_before_rope_are_those_of_the_projection(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each([name for name in MODELS if name not in WITHOUT_ROPE]):
            attention = model.model.layers[1].self_attn
            before = {}
            for part in ("k", "q"):
                source = getattr(attention, f"{part}_norm", None)
                source = source if isinstance(source, torch.nn.Module) else getattr(attention, f"{part}_proj")
                source.register_forward_hook(lambda module, given, made, part=part: before.update({part: made}))
            seen = {}

            def look(call):
                layer, part = call["visit"]
                heads = facts["query_heads"] if part == "query" else facts["kv_heads"]
                seen[part[0]] = torch.from_numpy(program.array(call["at"], TOKENS, heads, facts["head_dim"]).copy())

            tap = tap_of("pre-rope", "000" + "101" + "000000")
            program.logits(facts["handle"], ids, 0, 1, tap, look)
            for part, got in seen.items():
                heads = got.shape[1]
                want = before[part].squeeze(0)
                want = want.view(TOKENS, heads, 16) if want.shape[-2:] != (TOKENS, 16) else want.transpose(0, 1)
                self.assertLess((want - got).abs().max().item(), 2e-6 * max(1.0, want.abs().max().item()), (name, part))

    def test_of_layers_without_rope_and_of_a_part_of_a_head(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(PARTS):
            before, seen = {}, {}

            def keep(module, given, made, layer):
                before[layer] = made.view(TOKENS, -1, 16) if made.shape[1] == TOKENS else made[0].transpose(0, 1)

            def look(call):
                seen[call["visit"][0]] = torch.from_numpy(program.array(call["at"], TOKENS, facts["kv_heads"], 16).copy())

            for layer, block in enumerate(model.model.layers):
                norms = [getattr(block.self_attn, norm, None) for norm in ("k_norm", "k_layernorm")]
                source = next((norm for norm in norms if isinstance(norm, torch.nn.Module)), getattr(block.self_attn, "k_proj", None))
                source.register_forward_hook(functools.partial(keep, layer=layer))
            got = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("pre-rope", sites(4, "2", "2", "0")),
                                 lambda call: look(call) if call["visit"][1] == "key" else None)
            for layer in range(4):
                self.assertLess((before[layer] - seen[layer]).abs().max().item(), 2e-6 * max(1.0, before[layer].abs().max().item()), (name, layer))
            want = own_logits(model, ids)
            self.assertLess((want - got).abs().max().item(), 1e-5 * want.abs().max().item(), name)
            half = "partial_rotary_factor" in str(PARTS[name])
            self.assertEqual(facts["rope_layout"], "rotate-half of 8" if half else "rotate-half", name)
            reply = program.ask("rope_frequencies", handle=facts["handle"], layer=2)["frequencies"]
            want = [0.0] * 8 if name == "SmolLM3" else [10000.0 ** (-i / 4) for i in range(4)] + [0.0] * 4 if half else None
            if want is not None:
                numpy.testing.assert_allclose(reply, want, rtol=1e-6, err_msg=name)
            self.assertEqual(len(reply), 8)

    def test_empty_channels_are_empty_before_rope(self):
        for name, model, program, facts in self.each(["Llama", "Gemma 3", "GLM-4", "Phi"]):  # half a head apart; of a norm; neighbours; a part
            attention = model.model.layers[1].self_attn
            with torch.no_grad():
                if name == "Gemma 3":
                    attention.k_norm.weight[[3, 14]] = -1
                else:
                    attention.k_proj.weight[[3, 14]] = 0
                    if attention.k_proj.bias is not None:
                        attention.k_proj.bias[[3, 14]] = 0
            seen = []
            program.logits(facts["handle"], ids_of(TOKENS), 0, 1, tap_of("pre-rope", "000100000000"),
                           lambda call: seen.append(program.array(call["at"], TOKENS, facts["kv_heads"], facts["head_dim"]).copy()))
            [keys] = seen
            empty = numpy.zeros(keys.shape, bool)
            empty[:, slice(None) if name == "Gemma 3" else 0, [[3], [14]]] = True
            self.assertTrue((keys[empty] == 0).all(), name)
            self.assertTrue((keys[~empty] != 0).all(), name)

    def test_writing_before_rope_turns_keys_again(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each([name for name in MODELS if name not in WITHOUT_ROPE]):
            want = own_logits(model, ids)
            got = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("pre-rope", sites(4, "2", "2", "1")))
            self.assertLess((want - got).abs().max().item(), 1e-5 * want.abs().max().item(), name)

    def test_without_rope_only_after_it(self):
        for name, model, program, facts in self.each(WITHOUT_ROPE):
            self.assertEqual(facts["rope_layout"], "unknown")
            reply = program.logits(facts["handle"], ids_of(9), 0, 1, tap_of("pre-rope", sites(12, "2", "2")[: 3 * facts["layers"]]))
            self.assertEqual(reply["error"], "InputError")
            self.assertIn("give tap='post-rope'", reply["text"])


def coarse(values):
    return numpy.round(values * 4) / 4


class Written(Hosted):
    def test_what_is_written_is_what_attention_sees(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Llama", "Gemma 3"]):
            def write(call):
                array = program.array(call["at"], -1)
                array[:] = coarse(array)

            hooks = [layer.self_attn.v_proj.register_forward_hook(lambda module, given, made: torch.round(made * 4) / 4)
                     for layer in model.model.layers]
            want = own_logits(model, ids)
            for hook in hooks:
                hook.remove()
            got = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("post-rope", sites(4, "0", "2")), write)
            self.assertTrue(torch.equal(want, got), name)
            shown = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("post-rope", sites(4, "0", "1")), write)
            self.assertTrue(torch.equal(own_logits(model, ids), shown), f"{name}: what is only shown was taken over")

    def test_pairs_are_both_of_a_layer(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Qwen3"]):
            def write(call):
                for part in ("keys", "values"):
                    array = program.array(call[part], -1)
                    array[:] = coarse(array)

            got = program.logits(facts["handle"], ids, 0, TOKENS, tap_of("post-rope", sites(4, "2", "2"), True), write)
            self.assertEqual([call["visit_pair"] for call in program.calls], [0, 1, 2, 3])

            def apart(call):
                array = program.array(call["at"], -1)
                array[:] = coarse(array)

            self.assertTrue(torch.equal(got, program.logits(facts["handle"], ids, 0, TOKENS, tap_of("post-rope", sites(4, "2", "2")), apart)))

    def test_a_tap_that_stops_ends_the_forward(self):
        for name, model, program, facts in self.each(["Llama"]):
            reply = program.logits(facts["handle"], ids_of(9), 0, 1, tap_of("post-rope", sites(4, "2", "2")), lambda call: {"stop": True})
            self.assertEqual(reply, {"stopped": True})
            self.assertEqual(len(program.calls), 1)
            self.assertIsInstance(program.logits(facts["handle"], ids_of(9), 0, 1), torch.Tensor)


class ExactWindow(Hosted):
    """Brute force: query t's row, alone, in a forward of tokens 0 .. t where exactly the tokens older than the window are
    written; so a layer's output at t is right if those before it saw the same, which one written layer grants."""

    def test_each_query_sees_its_own_last_tokens_exact(self):
        tokens = 40
        ids = ids_of(tokens)
        for window in (1, 7, 30, 64):
            for name, model, program, facts in self.each():
                layers = facts["layers"]
                want_sites = "".join("220" if number == layers - 1 else "000" for number in range(layers))

                def write(call):
                    array = program.array(call["at"], tokens, -1)
                    array[:] = coarse(array) + 0.5
                    self.assertIsNotNone(call["exact"])

                got = program.logits(facts["handle"], ids, 0, tokens, tap_of("post-rope", want_sites, False, window), write)
                for row in (0, 3, 8, WINDOW, 33, tokens - 1):
                    def older(call):
                        array = program.array(call["at"], row + 1, -1)
                        last = max(0, row + 1 - window)
                        array[:last] = coarse(array[:last]) + 0.5

                    want = program.logits(facts["handle"], ids[: row + 1], row, 1, tap_of("post-rope", want_sites), older)
                    self.assertLess((want[0] - got[row]).abs().max().item(), 2e-5 * want.abs().max().item(), (name, window, row))

    def test_exact_versions_may_be_written_too(self):
        tokens = 40
        ids = ids_of(tokens)
        for name, model, program, facts in self.each(["Llama", "Gemma 2"]):
            def write(call):
                for place in (call["at"], call["exact"]):
                    array = program.array(place, -1)
                    array[:] = coarse(array)

            def plain(call):
                array = program.array(call["at"], -1)
                array[:] = coarse(array)

            got = program.logits(facts["handle"], ids, 0, tokens, tap_of("pre-rope", sites(4, "2", "2"), False, 9), write)
            want = program.logits(facts["handle"], ids, 0, tokens, tap_of("pre-rope", sites(4, "2", "2")), plain)
            self.assertLess((want - got).abs().max().item(), 2e-5 * want.abs().max().item(), name)

    def test_blocks_of_queries_change_nothing(self):
        from kakeya.hosting import window as module

        ids, limit = ids_of(120), module._SCORES
        for name, model, program, facts in self.each(["Llama", "Gemma 3", "gpt-oss"]):
            want = own_logits(model, ids)
            try:
                module._SCORES = 1
                got = program.logits(facts["handle"], ids, 0, 120, tap_of("post-rope", sites(4, "2", "2", "1")))
                two = program.logits(facts["handle"], ids, 0, 120, tap_of("post-rope", sites(4, "2", "2"), False, 5))
            finally:
                module._SCORES = limit
            for one in (got, two):
                self.assertLess((want - one).abs().max().item(), 2e-5 * want.abs().max().item(), name)


class Fused(Hosted):
    def test_close_to_plain_and_without_two_versions(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each(["Llama", "Gemma 3"]):
            fused = program.open(attention="fused")["handle"]
            want, got = own_logits(model, ids), program.logits(fused, ids, 0, TOKENS)
            self.assertLess((want - got).abs().max().item(), 1e-4 * want.abs().max().item(), name)
            self.assertFalse(torch.equal(want, got))
            reply = program.logits(fused, ids, 0, 1, tap_of("post-rope", sites(4, "2", "2"), False, 4))
            self.assertIn("residual window", reply["text"])

    def test_soft_caps_and_sinks_are_refused(self):
        for name, model, program, facts in self.each(["Gemma 2", "gpt-oss"]):
            fused = program.open(attention="fused")
            reply = program.logits(fused["handle"], ids_of(9), 0, 1) if "handle" in fused else fused
            self.assertIsInstance(reply, dict, name)
            self.assertEqual(reply["error"], "InputError")
            self.assertRegex(reply["text"], {"Gemma 2": "fused attention of Gemma2Attention.*soft caps", "gpt-oss": "GptOssAttention.*sinks"}[name])


if __name__ == "__main__":
    unittest.main()
