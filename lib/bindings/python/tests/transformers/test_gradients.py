# SPDX-License-Identifier: Apache-2.0
"""What a KakeyaCache says where gradients are wanted of a forward over it."""

import unittest
import warnings

try:
    import torch

    from kakeya.transformers import KakeyaCache
    from small import HYBRID, config_of, ids_of, model_of, steps
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)


class Gradients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = model_of(config_of("Gemma3TextConfig", **HYBRID))

    # Warnings of gradients in forwards over `cache`, and the logits. More tokens than a sliding window has.
    def warned(self, cache):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            logits = steps(self.model, cache, ids_of(1, 40), [30, 1, 9])
        return [one for one in seen if "gradients do not flow through a packed cache" in str(one.message)], logits

    def test_warns_once_a_cache_and_computes_the_same(self):
        with torch.no_grad():
            _, want = self.warned(KakeyaCache(self.model.config, "identity"))
        for _ in range(2):
            cache = KakeyaCache(self.model.config, "identity")
            seen, logits = self.warned(cache)
            self.assertEqual([one.category for one in seen], [UserWarning])
            self.assertIn("torch.no_grad()", str(seen[0].message))
            self.assertTrue(torch.equal(logits.detach(), want))
            cache.reset()
            self.assertEqual(self.warned(cache)[0], [])

    def test_is_silent_where_none_are_wanted(self):
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                self.assertEqual(self.warned(KakeyaCache(self.model.config, "identity"))[0], [], mode.__name__)
        model = model_of(config_of("LlamaConfig")).requires_grad_(False)
        self.model, kept = model, self.model
        self.addCleanup(setattr, self, "model", kept)
        self.assertEqual(self.warned(KakeyaCache(model.config, "identity"))[0], [])

    def test_one_value_that_requires_them_is_enough_and_gets_none(self):
        for kind, changes in (("LlamaConfig", {}), ("MistralConfig", dict(sliding_window=24))):
            for which in (0, 1):
                states = [torch.randn(1, 2, 40, 16, requires_grad=part == which) for part in (0, 1)]
                with warnings.catch_warnings(record=True) as told:  # assertWarns() would import all that transformers has
                    warnings.simplefilter("always")
                    seen = KakeyaCache(config_of(kind, **changes), "identity").update(*states, 0)
                self.assertEqual(len(told), 1, kind)
                self.assertFalse(any(part.requires_grad for part in seen), kind)


if __name__ == "__main__":
    unittest.main()
