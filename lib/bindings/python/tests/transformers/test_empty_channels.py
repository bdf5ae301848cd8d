# SPDX-License-Identifier: Apache-2.0
"""Key channels that are empty before RoPE: stored as empty, by a KakeyaCache as by a host and by a forward that never turns them."""

import unittest
from unittest import mock

try:
    import torch

    import kakeya
    from kakeya.transformers import KakeyaCache, layers, rope
    from kakeya.transformers.turns import KeyTurns
    from program import Program, ids_of, model_of, sites
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
TOKENS, EMPTY = 160, [3, 14]


def gemma(dtype=torch.float32):
    model = model_of("Gemma 3", dtype=dtype)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.k_norm.weight[EMPTY] = -1  # a gain of 0
    return model


def of_the_norm(model, ids):
    """Keys [tokens, heads, dim] of each layer as its norm made them: what a forward that stores before RoPE has."""
    found = []
    hooks = [layer.self_attn.k_norm.register_forward_hook(lambda module, given, made: found.append(made[0].transpose(0, 1)))
             for layer in model.model.layers]
    with torch.no_grad():
        model(torch.from_numpy(ids.astype("int64"))[None], use_cache=False)
    for hook in hooks:
        hook.remove()
    return found


def of_a_host(model, ids):
    found, program = [], Program(model)
    facts = program.open()
    tap = {"point": "pre-rope", "sites": sites(4, "1", "0"), "pairs": False, "window": 0}
    program.logits(facts["handle"], ids, 0, 1, tap, lambda call: found.append(
        torch.from_numpy(program.array(call["at"], len(ids), facts["kv_heads"], facts["head_dim"]).copy())))
    program.close()
    return found


def of_a_cache(model, ids, steps):
    """What it hands to its PackedCache."""
    made, rows = [], layers.to_rows
    with mock.patch.object(layers, "to_rows", lambda states: made.append(rows(states)) or made[-1]), torch.no_grad():
        cache, first = KakeyaCache(model.config, "kivi:b=4", tap="pre-rope"), 0
        for step in steps:
            model(torch.from_numpy(ids[first : first + step].astype("int64"))[None], past_key_values=cache, use_cache=True)
            first += step
    keys = made[0::2]  # values behind them
    return [torch.cat(keys[layer::4]) for layer in range(4)]


def kivi_bytes(keys):
    """Of each layer and head the bytes of a frame."""
    return [len(kakeya.codec("kivi:b=4", 16, site=(layer, "key", head)).encode(one[:, head].float().contiguous().numpy()))
            for layer, one in enumerate(keys) for head in range(one.shape[1])]


class Gemma(unittest.TestCase):
    def test_kivi_writes_the_same_bytes_as_over_keys_that_were_never_turned(self):
        model, ids = gemma(), ids_of(TOKENS)
        want = kivi_bytes(of_the_norm(model, ids))
        self.assertEqual(kivi_bytes(of_a_host(model, ids)), want)
        for steps in ([TOKENS], [100, 1, 59]):
            keys = of_a_cache(model, ids, steps)
            self.assertEqual(kivi_bytes(keys), want)
            for one in keys:
                self.assertTrue(bool((one[:, :, EMPTY] == 0).all()))
                self.assertEqual(int((one == 0).sum()), one[:, :, EMPTY].numel())

    def test_rounding_that_is_left_costs_bytes(self):
        model, ids = gemma(), ids_of(TOKENS)
        with mock.patch.object(rope, "_ROUNDING", -1.0):
            self.assertGreater(sum(kivi_bytes(of_a_cache(model, ids, [TOKENS]))), sum(kivi_bytes(of_the_norm(model, ids))))

    def test_small_coordinates_of_bfloat16_stay(self):
        """A token that is turned by little tells of a coordinate far below the rounding of its pair."""
        turns, positions = KeyTurns(gemma().config), torch.tensor([[1]])
        keys = torch.zeros(1, 1, 1, 16)
        keys[..., 7], keys[..., 15] = 2.0**-10, 1.0
        turned = turns.rotate(keys, positions, 1).to(torch.bfloat16)  # base 10^6: by 5.6e-6 radians
        got = turns.unrotate(turned, positions, 1)
        self.assertEqual(got.dtype, torch.float32)
        self.assertLess((got - keys).abs().max().item(), 2.0**-18)
        self.assertTrue(torch.equal(turns.unrotate(turned.float(), positions, 1), got))


if __name__ == "__main__":
    unittest.main()
