# SPDX-License-Identifier: Apache-2.0
"""What a host tells of models: facts, RoPE's frequencies, output matrices, digests; and which models it refuses."""

import hashlib
import os
import pathlib
import tempfile
import unittest
from unittest import mock

try:
    import numpy
    import torch
    import transformers
    from transformers import AutoModelForCausalLM

    import kakeya
    from kakeya.hosting import digest, facts, load
    from kakeya.hosting.adapter import HostedModel
    from kakeya.hosting.tokens import HostedTokenizer
    from program import HYBRID, LLAMA3, MODELS, SMALL, WINDOW, WITHOUT_ROPE, Program, ids_of, model_of
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
NANO = str(pathlib.Path(__file__).resolve().parents[5] / "data" / "models" / "nano")


def hosted(name, **changes):
    return HostedModel(model_of(name, **changes), name, "0" * 64)


class Structure(unittest.TestCase):
    def test_facts_of_a_family(self):
        told = hosted("Gemma 3").facts()
        self.assertEqual((told["layers"], told["kv_heads"], told["query_heads"], told["head_dim"]), (4, 2, 4, 16))
        self.assertEqual((told["hidden"], told["vocab"], told["context"]), (64, 199, 512))
        self.assertEqual(told["windows"], [WINDOW, 0, WINDOW, 0])
        self.assertEqual((told["architecture"], told["rope_layout"], told["rope_base"]), ("gemma3_text", "rotate-half", 1000000.0))
        self.assertEqual(hosted("GLM-4").facts()["rope_layout"], "interleaved")
        self.assertEqual(hosted("Mistral").facts()["windows"], [WINDOW] * 4)

    def test_frequencies_turn_keys_as_the_model_does(self):
        for name in MODELS:
            if name in WITHOUT_ROPE:
                continue
            model = hosted(name)
            raw = torch.randn(1, 1, 1, 16, generator=torch.Generator().manual_seed(2))
            for layer in (0, 1):
                turned = model.rotary.rotate(raw, 37, layer).reshape(-1).double()
                scale = turned.norm() / raw.double().norm()  # YaRN's, of gpt-oss
                half = model.rotary.layout == "rotate-half"
                a, b = (raw[..., :8], raw[..., 8:]) if half else (raw[..., 0::2], raw[..., 1::2])
                angle = 37 * torch.tensor(model.rope_frequencies(layer), dtype=torch.float64)
                want = (a.reshape(-1) * angle.cos() - b.reshape(-1) * angle.sin(), b.reshape(-1) * angle.cos() + a.reshape(-1) * angle.sin())
                want = scale * (torch.cat(want) if half else torch.stack(want, dim=1).reshape(-1))
                self.assertLess((want - turned).abs().max().item(), 1e-4, (name, layer))

    def test_frequencies_by_the_papers_formulas(self):
        plain = [10000.0 ** (-i / 8) for i in range(8)]
        numpy.testing.assert_allclose(hosted("Mistral").rope_frequencies(2), plain, rtol=1e-6)
        numpy.testing.assert_allclose(hosted("Gemma 3").rope_frequencies(1), [1e6 ** (-i / 8) for i in range(8)], rtol=1e-6)
        numpy.testing.assert_allclose(hosted("Gemma 3").rope_frequencies(0), plain, rtol=1e-6)
        self.assertEqual(hosted("GLM-4").rope_frequencies(0)[4:], [0.0] * 4)  # half of a head turns
        self.assertEqual(hosted("Cohere 2").rope_frequencies(1), [0.0] * 8)  # layers without a window have no RoPE
        numpy.testing.assert_allclose(hosted("Cohere 2").rope_frequencies(0), plain, rtol=1e-6)
        scaled = hosted("Llama").rope_frequencies(0)
        self.assertAlmostEqual(scaled[0], 1.0, places=6)
        self.assertAlmostEqual(scaled[-1], plain[-1] / 8, places=9)

    def test_output_matrices_with_the_norm_behind_them(self):
        norms = {"Gemma 2": "post_attention_layernorm", "Gemma 3": "post_attention_layernorm", "GLM-4": "post_self_attn_layernorm",
                 "Gemma 4": "post_attention_layernorm"}
        for name in MODELS:
            model = hosted(name)
            got = model.attention_output(1)
            if name == "GPT-2":
                want = model.model.transformer.h[1].attn.c_proj.weight.detach().T
            else:
                layer = model.model.model.layers[1]
                want = layer.self_attn.o_proj.weight.detach()
                if name in norms:
                    gain = getattr(layer, norms[name]).weight.detach()
                    want = want * (gain + (0 if name in ("GLM-4", "Gemma 4") else 1))[:, None]
            self.assertEqual(list(got.shape), [64, 64])
            self.assertLess((want - got).abs().max().item(), 1e-6, name)

    def test_a_gate_before_the_output_is_refused(self):
        model = hosted("Llama")
        projection = model.model.model.layers[2].self_attn.o_proj
        projection.register_forward_pre_hook(lambda module, given: (given[0] * 0.5,))
        model.attention_output(1)
        with self.assertRaisesRegex(kakeya.InputError, "layer 2 of Llama: something lies between"):
            model.attention_output(2)


class Refused(unittest.TestCase):
    def refuse(self, words, config):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
        with self.assertRaisesRegex(kakeya.InputError, words):
            HostedModel(model, "made", "0" * 64)

    def test_by_name(self):
        small = {key: value for key, value in SMALL.items()}
        self.refuse("layer 0 of qwen3_next: linear_attention is not supported",
                    transformers.Qwen3NextConfig(**small, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
                                                 shared_expert_intermediate_size=32))
        self.refuse("layer 1 of made has 2 KV heads of 32, layer 0 2 of 16",
                    transformers.Gemma4TextConfig(**small, **HYBRID, global_head_dim=32, hidden_size_per_layer_input=0, num_kv_shared_layers=0))
        sharing = transformers.Gemma4TextConfig(**small, **HYBRID, global_head_dim=16, hidden_size_per_layer_input=0, num_kv_shared_layers=2)
        self.refuse("layer 2 of gemma4_text: keys and values shared with another layer", sharing)
        self.refuse("layer 0 of deepseek_v2: MLA latents",
                    transformers.DeepseekV2Config(**{**small, "num_key_value_heads": 4}, q_lora_rank=None, kv_lora_rank=16, qk_rope_head_dim=8,
                                                  qk_nope_head_dim=16, v_head_dim=16, n_routed_experts=4, first_k_dense_replace=4,
                                                  moe_intermediate_size=32))

    def test_longrope_before_it_alone(self):
        factors = dict(rope_type="longrope", rope_theta=10000.0, short_factor=[1.0] * 8, long_factor=[2.0] * 8,
                       original_max_position_embeddings=64)
        model = AutoModelForCausalLM.from_config(transformers.Phi3Config(**SMALL, rope_parameters=factors)).eval()
        program = Program(model)
        opened = program.open()
        tap = {"point": "pre-rope", "sites": "200" * 4, "pairs": False, "window": 0}
        reply = program.logits(opened["handle"], ids_of(9), 0, 1, tap)
        self.assertIn("longrope does not rotate a key by its position alone", reply["text"])
        self.assertIn("longrope", program.ask("rope_frequencies", handle=opened["handle"], layer=0)["text"])
        self.assertIsInstance(program.logits(opened["handle"], ids_of(9), 0, 1, {**tap, "point": "post-rope"}), torch.Tensor)
        program.close()

    def test_a_mask_that_differs_from_the_configuration(self):
        program = Program(model_of("Mistral"))
        opened = program.open()
        program.ask("close", handle=opened["handle"])
        model = hosted("Mistral")
        model.windows = [0] * 4
        from kakeya.hosting.taps import Tap

        with self.assertRaisesRegex(kakeya.InputError, f"layer 0: its mask shows {WINDOW} of 40 keys, expected 40"):
            model.logits(ids_of(40), 0, 1, Tap(False, "000" * 4, False, 0))
        program.close()


class Digests(unittest.TestCase):
    def test_of_files_and_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("b.txt", b"two"), ("a", b"one"), ("B", b"")):
                pathlib.Path(folder, name).write_bytes(data)
            pathlib.Path(folder, "sub").mkdir()
            pathlib.Path(folder, "sub", "x").write_bytes(b"not counted")
            os.symlink("a", os.path.join(folder, "link"))  # as in the hub's snapshots
            lines = b"".join(name + b" " + hashlib.sha256(data).hexdigest().encode() + b"\n"
                             for name, data in ((b"B", b""), (b"a", b"one"), (b"b.txt", b"two"), (b"link", b"one")))
            self.assertEqual(digest.sha256_path(folder), hashlib.sha256(lines).hexdigest())
            self.assertEqual(digest.sha256_path(os.path.join(folder, "a")), hashlib.sha256(b"one").hexdigest())
            with self.assertRaisesRegex(kakeya.IoError, "nothing"):
                digest.sha256_path(os.path.join(folder, "nothing"))

    def test_of_a_model_in_memory(self):
        one, same, other, scaled = model_of("Llama"), model_of("Llama"), model_of("Llama"), model_of("Llama", rms_norm_eps=1e-3)
        with torch.no_grad():
            other.model.norm.weight[3] += 1
        digests = [digest.sha256_model(model) for model in (one, same, other, scaled)]
        self.assertEqual(digests[0], digests[1])
        self.assertEqual(len(set(digests)), 3)


@unittest.skipUnless(os.path.exists(NANO), "data/models/nano is not here")
class Folder(unittest.TestCase):
    def test_nano(self):
        program = Program()
        told = program.open(model=NANO)
        self.assertEqual((told["name"], told["architecture"], told["weight_types"]), ("nano", "qwen3", "BF16 x 90"))
        self.assertEqual(told["sha256"], digest.sha256_path(NANO))
        about = program.ask("tokenizer", model=NANO)
        self.assertEqual((about["vocab"], about["ends"]), (4096, [0]))
        self.assertEqual(about["sha256"], digest.sha256_path(os.path.join(NANO, "tokenizer.json")))
        text = "The tide turned. Ünïcode\n".encode()
        place = program.ask("encode", model=NANO, special=False, at=program.put(numpy.frombuffer(text, "uint8")))["at"]
        ids = program.channel.array(place, "int32").copy()
        self.assertGreater(len(ids), 4)
        place = program.ask("decode", model=NANO, at=program.put(ids))["at"]
        self.assertEqual(program.channel.array(place, "uint8").tobytes(), text)
        self.assertIsNone(program.ask("special_in", model=NANO, at=program.put(numpy.frombuffer(text, "uint8")))["found"])
        reply = program.ask("decode", model=NANO, at=program.put(numpy.array([4096], "int32")))
        self.assertEqual((reply["error"], reply["text"]), ("InputError", "token id 4096: expected 0 to 4095"))
        program.close()

    def test_hub_ids_are_snapshots(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("huggingface_hub.snapshot_download", return_value=folder) as asked:
            self.assertEqual(load.locate("some/model"), folder)
            self.assertIn("pytorch_model*.bin", asked.call_args.kwargs["allow_patterns"])  # there was no .safetensors
            pathlib.Path(folder, "model.safetensors").touch()
            self.assertEqual(load.locate("gpt2"), folder)
            self.assertEqual((asked.call_args.args, "*.safetensors" in asked.call_args.kwargs["allow_patterns"]), (("gpt2",), True))
        with mock.patch("huggingface_hub.snapshot_download", side_effect=OSError("no\nnetwork")), self.assertRaisesRegex(
            kakeya.IoError, "some/model: no folder, no file, and no model of the hub that can be had: no network"
        ):
            load.locate("some/model")

    def test_names_that_are_no_model(self):
        with self.assertRaisesRegex(kakeya.IoError, "/no/such: no such folder or file"):
            load.locate("/no/such")
        with self.assertRaisesRegex(kakeya.SpecError, "dtype 'fp16': expected fp32 or bf16"):
            facts.dtype_of("fp16")
        with tempfile.TemporaryDirectory() as empty, self.assertRaises(kakeya.Error):
            load.load_model(empty, "cpu", "fp32", 0)


class Special(unittest.TestCase):
    def test_the_first_of_the_longest(self):
        class Made:
            all_special_tokens = ["<s>", "<s>>"]
            added_tokens_decoder = {}

            def get_vocab(self):
                return {"a": 0, "b": 7}

            def __len__(self):
                return 2

        tokenizer = HostedTokenizer(Made(), "made")
        self.assertEqual(tokenizer.about()["vocab"], 8)
        self.assertEqual(tokenizer.special_in(b"x <s>> <s>"), "<s>>")
        self.assertIsNone(tokenizer.special_in(b"x"))


if __name__ == "__main__":
    unittest.main()
