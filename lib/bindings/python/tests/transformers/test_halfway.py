# SPDX-License-Identifier: Apache-2.0
"""What stops halfway, in an update or between two layers, is never read as if it were whole."""

import unittest

try:
    import torch
    from transformers import DynamicCache

    import kakeya
    from kakeya.transformers import KakeyaCache
    from small import HYBRID, config_of, ids_of, model_of
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)


class Stopped(Exception):
    pass


def stop(*given):
    raise Stopped()


class Forwards(unittest.TestCase):
    """Exceptions of a forward's own, outside update(): a hook, no memory in a feed-forward."""

    def setUp(self):
        self.enterContext(torch.no_grad())
        self.model = model_of(config_of("Gemma3TextConfig", **HYBRID))
        self.ids = ids_of(2, 60)

    def run_over(self, cache, first, last, stopping=None):
        hooks = [module.register_forward_hook(stop) for module in [stopping] if module is not None]
        try:
            return self.model(self.ids[:, first:last], past_key_values=cache, use_cache=True).logits
        finally:
            for hook in hooks:
                hook.remove()

    def test_layers_that_lack_tokens_are_seen_at_the_next_use(self):
        layers = self.model.model.layers
        for number, stopping in ((0, layers[0].mlp), (2, layers[2].mlp), (2, layers[3].input_layernorm)):
            cache, own = KakeyaCache(self.model.config, "identity"), DynamicCache(config=self.model.config)
            for one in (cache, own):
                self.run_over(one, 0, 20)
            with self.assertRaises(Stopped):
                self.run_over(cache, 20, 27, stopping)
            self.assertEqual(cache.ledger()["tokens"], [27] * (number + 1) + [20] * (3 - number))
            words = (rf"a forward of 7 tokens stopped after layer {number}: layer {number + 1} lacks them: "
                     r"expected crop\(20\) or fewer tokens, or reset\(\)")
            row = torch.tensor([1, 0])
            for use in (lambda: self.run_over(cache, 20, 27), lambda: self.run_over(cache, 27, 28), lambda: cache.reorder_cache(row),
                        lambda: cache.batch_select_indices(row), lambda: cache.crop(21), lambda: cache.crop(-1)):
                with self.assertRaisesRegex(kakeya.InputError, words):
                    use()
            cache.crop(20)
            self.assertEqual(cache.ledger()["tokens"], [20] * 4)
            for first, last in ((20, 27), (27, 28)):
                self.assertTrue(torch.equal(self.run_over(cache, first, last), self.run_over(own, first, last)))

    def test_what_is_seen_first_may_be_a_crop(self):
        cache = KakeyaCache(self.model.config, "identity")
        self.run_over(cache, 0, 20)
        with self.assertRaises(Stopped):
            self.run_over(cache, 20, 23, self.model.model.layers[1].mlp)
        with self.assertRaisesRegex(kakeya.InputError, "a forward of 3 tokens stopped after layer 1"):
            cache.crop(22)
        cache.crop(12)
        self.assertEqual(cache.ledger()["tokens"], [12] * 4)
        self.run_over(cache, 12, 60)

    def test_a_first_forward_needs_a_reset(self):
        cache = KakeyaCache(self.model.config, "e8:q=10")
        with self.assertRaises(Stopped):
            self.run_over(cache, 0, 30, self.model.model.layers[1].mlp)
        with self.assertRaisesRegex(kakeya.InputError, r"stopped after layer 1: layer 2 lacks them: expected reset\(\)$"):
            self.run_over(cache, 0, 30)
        cache.reset()
        clean = KakeyaCache(self.model.config, "e8:q=10")
        self.assertTrue(torch.equal(self.run_over(cache, 0, 30), self.run_over(clean, 0, 30)))

    def test_behind_the_last_layer_tokens_stay_as_in_a_dynamic_cache(self):
        cache, own = KakeyaCache(self.model.config, "identity"), DynamicCache(config=self.model.config)
        for one in (cache, own):
            with self.assertRaises(Stopped):
                self.run_over(one, 0, 20, self.model.lm_head)
        self.assertEqual(cache.get_seq_length(), own.get_seq_length())
        self.assertTrue(torch.equal(self.run_over(cache, 20, 25), self.run_over(own, 20, 25)))

    def test_a_layer_that_is_never_reached(self):
        cache, x = KakeyaCache(config_of("LlamaConfig"), "identity"), torch.zeros(1, 2, 1, 16)
        for layer in (0, 1, 3):
            cache.update(x, x, layer)
        with self.assertRaisesRegex(kakeya.InputError, "a forward of 1 tokens stopped after layer 3: layer 2 lacks them"):
            cache.update(x, x, 0)


class Updates(unittest.TestCase):
    def test_half_an_update_is_never_read(self):
        config, x = config_of("LlamaConfig"), torch.randn(2, 2, 5, 16)
        made, clean = KakeyaCache(config, "e8:q=10"), KakeyaCache(config, "e8:q=10")
        bad = x.clone()
        bad[1, 0, 2, 3] = float("nan")
        for layer in range(4):
            made.update(x, x, layer)
            clean.update(x, x, layer)
        made.update(x, x, 0)
        with self.assertRaisesRegex(kakeya.InputError, "layer 1 keys: row 2 is not finite"):
            made.update(bad, x, 1)  # row 0 of the batch has these tokens now, row 1 has not
        for call in (lambda: made.update(x, x, 1), lambda: made.update(x, x, 0), lambda: made.crop(7)):
            with self.assertRaisesRegex(kakeya.InputError, r"an update of layer 1 raised.*expected crop\(5\) or fewer tokens, or reset"):
                call()
        made.crop(5)
        young = KakeyaCache(config, "e8:q=10")
        with self.assertRaisesRegex(kakeya.InputError, "not finite"):
            young.update(bad, x, 0)
        with self.assertRaisesRegex(kakeya.InputError, r"update of layer 0 raised.*expected reset\(\)$"):
            young.update(x, x, 0)
        young.reset()
        self.assertEqual(young.update(x, x, 0)[0].shape, x.shape)
        for layer in range(4):
            for got, want in zip(made.update(x, x, layer), clean.update(x, x, layer)):
                self.assertTrue(torch.equal(got, want))
        self.assertEqual(made.live_bytes(), clean.live_bytes())


if __name__ == "__main__":
    unittest.main()
