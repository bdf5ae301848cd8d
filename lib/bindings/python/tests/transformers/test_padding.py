# SPDX-License-Identifier: Apache-2.0
"""pad(): left padding of rows, of beams too; what else a mask may say is refused."""

import unittest

try:
    import torch
    from transformers import DynamicCache

    import kakeya
    from kakeya.transformers import KakeyaCache
    from small import config_of, ids_of, model_of, steps
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)


def left_mask(rows, tokens, *padding):
    mask = torch.ones(rows, tokens, dtype=torch.long)
    for row, count in enumerate(padding):
        mask[row, :count] = 0
    return mask


def stored_keys(cache, row, layer=0):
    packed, rows = cache._store.of((2, 16))
    return torch.from_numpy(packed.read(rows[row], layer, "key"))


class Padding(unittest.TestCase):
    def setUp(self):
        self.enterContext(torch.no_grad())

    def test_padding_moves_positions(self):
        model = model_of(config_of("LlamaConfig"), torch.float32)
        ids = ids_of(2, 40)
        mask = left_mask(2, 40, 0, 5)
        cache = KakeyaCache(model.config, "identity", tap="pre-rope")
        cache.pad(mask)
        got = steps(model, cache, ids, [30, 10], mask)
        alone = KakeyaCache(model.config, "identity", tap="pre-rope")
        model(ids[1:, 5:], past_key_values=alone)
        moved = stored_keys(cache, 1)[5:] - stored_keys(alone, 0)
        self.assertLess(moved.abs().max().item(), 0.01)
        want = steps(model, DynamicCache(config=model.config), ids, [30, 10], mask)
        self.assertLess((got - want).abs().max().item(), 0.05)
        with self.assertRaisesRegex(kakeya.InputError, "before the first"):
            cache.pad(mask)
    def test_padding_on_the_right_and_gaps_are_refused(self):
        right, gap = left_mask(2, 6), left_mask(2, 6, 2)
        right[1, 4:] = 0
        gap[0, 4] = 0
        wrong = [(right, "row 1 of the attention mask has a 0 at token 4, behind a 1: expected padding on the left alone"),
                 (gap, "row 0 of the attention mask has a 0 at token 4, behind a 1"), (right.bool(), "row 1 of the attention mask has a 0"),
                 (right[None, None], r"an attention mask of shape \[1, 1, 2, 6\]: expected \[batch, tokens\]"),
                 (2 * right, "an attention mask with values other than 0 and 1"), (torch.tensor([[0.0, -1e9]]), "other than 0 and 1")]
        for tap in ("pre-rope", "post-rope"):
            cache = KakeyaCache(config_of("LlamaConfig"), "identity", tap=tap)
            for mask, words in wrong:
                with self.assertRaisesRegex(kakeya.InputError, words):
                    cache.pad(mask)
            cache.pad(left_mask(2, 6, 3, 6).bool())  # a row may be nothing but padding
            self.assertEqual(cache.layers[0].padding.tolist(), [3, 6])

    def test_beams_have_the_padding_of_their_rows(self):
        keys, values = torch.randn(2, 6, 2, 20, 16, generator=torch.Generator().manual_seed(3))
        mask = left_mask(2, 20, 4, 1)
        beams, told = (KakeyaCache(config_of("LlamaConfig"), "identity", tap="pre-rope") for _ in range(2))
        beams.pad(mask)
        told.pad(mask.repeat_interleave(3, dim=0))
        for cache in (beams, told):
            for layer in range(4):
                cache.update(keys, values, layer)
        for row in range(6):
            self.assertTrue(torch.equal(stored_keys(beams, row), stored_keys(told, row)))
        beams.reorder_cache(torch.tensor([5, 0, 0, 3, 3, 1]))
        self.assertEqual(beams.layers[2].padding.tolist(), [1, 4, 4, 1, 1, 4])

    def test_generates_with_beams_over_padded_rows(self):
        model, ids = model_of(config_of("LlamaConfig"), torch.float32), ids_of(2, 40)
        mask = left_mask(2, 40, 0, 9)
        caches = [KakeyaCache(model.config, "identity", tap="pre-rope") for _ in range(2)]
        caches[0].pad(mask)
        made = [model.generate(ids, attention_mask=mask, past_key_values=cache, num_beams=3, do_sample=False, max_new_tokens=8)
                for cache in (*caches, KakeyaCache(model.config, "identity"))]
        self.assertEqual(caches[0].get_seq_length(), 47)
        for one in made[:2]:
            self.assertTrue(torch.equal(one, made[2]))

    def test_a_batch_that_is_no_multiple_is_refused(self):
        cache = KakeyaCache(config_of("LlamaConfig"), "identity", tap="pre-rope")
        cache.pad(left_mask(2, 6, 1))
        x = torch.zeros(3, 2, 6, 16)
        with self.assertRaisesRegex(kakeya.InputError, "a batch of 3 rows, padding of 2: expected a row of the attention mask for each"):
            cache.update(x, x, 0)


if __name__ == "__main__":
    unittest.main()
