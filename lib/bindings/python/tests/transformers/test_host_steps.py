# SPDX-License-Identifier: Apache-2.0
"""Decoding over a cache that the program keeps, against one forward of everything."""

import unittest

try:
    import numpy
    import torch

    from program import MODELS, WINDOW, WITHOUT_ROPE, Program, ids_of, model_of, own_logits
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
TOKENS = 70


class KeptCache:
    """Keys and values of sequences, float32. drop: what a window has left is gone, as in a packed cache."""

    def __init__(self, program, facts, drop=False):
        self.program, self.facts, self.drop = program, facts, drop
        self.kept, self.lengths = {}, {}

    def step(self, batch, point="post-rope"):
        """batch: (sequence, ids, scored) each; the logits, or a reply with an error."""
        self.batch = [sequence for sequence, _, _ in batch]
        told = [{"tokens": len(ids), "scored": scored, "past": self.lengths.get(sequence, 0)} for sequence, ids, scored in batch]
        ids = numpy.concatenate([ids for _, ids, _ in batch]).astype("int32")
        reply = self.program.ask("step", self._append, handle=self.facts["handle"], tap=point, batch=told, tokens=self.program.put(ids))
        if "at" not in reply:
            return reply
        for sequence, ids, _ in batch:
            self.lengths[sequence] = self.lengths.get(sequence, 0) + len(ids)
        return torch.from_numpy(self.program.array(reply["at"], sum(scored for _, _, scored in batch), self.facts["vocab"]).copy())

    def _append(self, call):
        number, layer = call["append"]
        shape = (call["tokens"], self.facts["kv_heads"], self.facts["head_dim"])
        new = [self.program.array(call[part], *shape).copy() for part in ("keys", "values")]
        place = (self.batch[number], layer)
        first, held = self.kept.get(place, (0, [part[:0] for part in new]))
        held = [numpy.concatenate(parts) for parts in zip(held, new)]
        self.kept[place] = (first, held)
        window = self.facts["windows"][layer]
        past = first + len(held[0]) - call["tokens"]
        if self.drop and window and past - window + 1 > first:  # what the first new token no longer sees
            gone = past - window + 1 - first
            first, held = first + gone, [part[gone:] for part in held]
            self.kept[place] = (first, held)
        places = self.program.channel.places(*[part.nbytes for part in held])
        for at, part in zip(places, held):
            self.program.array(at, *part.shape)[:] = part
        return {"first": first, "tokens": len(held[0]), "keys": places[0], "values": places[1]}


class Steps(unittest.TestCase):
    def each(self, names=MODELS):
        for name in names:
            with self.subTest(name):
                model = model_of(name)
                program = Program(model)
                try:
                    yield name, model, program, program.open()
                finally:
                    program.close()

    def close(self, want, got, *what):
        self.assertEqual(want.shape, got.shape)
        self.assertLess((want - got).abs().max().item(), 2e-5 * want.abs().max().item(), what)

    def test_steps_are_the_forward_in_pieces(self):
        ids = ids_of(TOKENS)
        for name, model, program, facts in self.each():
            want = own_logits(model, ids)
            for point in ("post-rope",) if name in WITHOUT_ROPE else ("post-rope", "pre-rope"):
                for drop in (False, True):
                    cache = KeptCache(program, facts, drop)
                    got, at = [], 0
                    for length in [30, 1, 17, 1, 1, 20]:
                        got.append(cache.step([(0, ids[at : at + length], length)], point))
                        at += length
                    self.close(want, torch.cat(got), name, point, drop)

    def test_windows_leave_tokens_behind(self):
        for name, model, program, facts in self.each(["Mistral"]):
            cache = KeptCache(program, facts, drop=True)
            cache.step([(0, ids_of(50), 0)])
            cache.step([(0, ids_of(1), 1)])
            self.assertEqual(cache.kept[0, 0][0], 50 - WINDOW + 1)

    def test_a_batch_is_each_alone(self):
        ids = [ids_of(20), ids_of(33, 2), ids_of(9, 3)]
        for name, model, program, facts in self.each(["Llama", "gpt-oss"]):
            cache = KeptCache(program, facts)
            cache.step([(number, one[:-4], 0) for number, one in enumerate(ids)])
            got = cache.step([(2, ids[2][-4:], 1), (0, ids[0][-4:], 4), (1, ids[1][-4:], 0)])
            want = torch.cat([own_logits(model, ids[2])[-1:], own_logits(model, ids[0])[-4:]])
            self.close(want, got, name)

    def test_what_is_stored_is_what_is_seen(self):
        ids = ids_of(20)
        for name, model, program, facts in self.each(["Llama"]):
            cache = KeptCache(program, facts)
            plain = cache.step([(0, ids, 20)])
            other = KeptCache(program, facts)
            append = other._append

            def zeroed(call):
                answer = append(call)
                program.array(answer["values"], -1)[:] = 0
                return answer

            other._append = zeroed
            self.assertGreater((plain - other.step([(0, ids, 20)])).abs().max().item(), 0.01)

    def test_a_cache_that_lost_what_a_query_sees(self):
        for name, model, program, facts in self.each(["Llama"]):
            cache = KeptCache(program, {**facts, "windows": [8] * 4}, drop=True)
            cache.step([(0, ids_of(20), 0)])
            reply = cache.step([(0, ids_of(1), 1)])
            self.assertEqual(reply["error"], "InputError")
            self.assertIn("its cache begins at token 13, and a query at 20 sees earlier ones", reply["text"])

    def test_wrong_batches(self):
        for name, model, program, facts in self.each(["Llama"]):
            cache = KeptCache(program, facts)
            self.assertIn("expected 1 to 512", cache.step([(0, ids_of(600), 0)])["text"])
            self.assertIn("3 of 2 tokens to score", cache.step([(0, ids_of(2), 3)])["text"])
            self.assertIn("token id 199", cache.step([(0, numpy.array([5, 199]), 1)])["text"])
            self.assertIn("tap 'before'", cache.step([(0, ids_of(2), 1)], "before")["text"])


if __name__ == "__main__":
    unittest.main()
