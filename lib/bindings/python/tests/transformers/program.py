# SPDX-License-Identifier: Apache-2.0
"""The program's side of the protocol, in Python, and small random models: what the tests of hosts share."""

import os
import threading

import numpy
import torch
import transformers
from transformers import AutoModelForCausalLM

from kakeya.hosting.channel import Channel, pair
from kakeya.hosting.serve import Host, InMemory

WINDOW = 24
SMALL = dict(vocab_size=199, hidden_size=64, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
             num_key_value_heads=2, head_dim=16, max_position_embeddings=512, pad_token_id=0, bos_token_id=1, eos_token_id=None)
HYBRID = dict(sliding_window=WINDOW, layer_types=["sliding_attention", "full_attention"] * 2)
LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)
MODELS = {
    "Llama": ("LlamaConfig", dict(rope_parameters=LLAMA3)),
    "Mistral": ("MistralConfig", dict(sliding_window=WINDOW)),
    "Qwen3": ("Qwen3Config", dict(num_key_value_heads=1)),
    "Gemma 2": ("Gemma2Config", dict(HYBRID, attn_logit_softcapping=2.0)),
    "Gemma 3": ("Gemma3TextConfig", HYBRID),
    "Gemma 4": ("Gemma4TextConfig", dict(HYBRID, global_head_dim=16, hidden_size_per_layer_input=0, num_kv_shared_layers=0)),
    "GLM-4": ("Glm4Config", {}),
    "Cohere 2": ("Cohere2Config", HYBRID),
    "gpt-oss": ("GptOssConfig", dict(HYBRID, num_local_experts=4, num_experts_per_tok=4)),
    "GPT-2": ("GPT2Config", dict(n_embd=64, n_layer=4, n_head=4, n_positions=512)),
}
WITHOUT_ROPE = ("GPT-2",)
HALF = dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)
# Layers 2 of SmolLM3 and 1, 3 of EXAONE 4 have no RoPE; the others turn half a head, whose pairs are i, i + 4 of 16. None: not given.
PARTS = {
    "SmolLM3": ("SmolLM3Config", dict(no_rope_layers=[1, 1, 0, 1])),
    "EXAONE 4": ("Exaone4Config", HYBRID),
    "Phi": ("PhiConfig", dict(head_dim=None, rope_parameters=HALF)),
    "StableLM": ("StableLmConfig", dict(head_dim=None, rope_parameters=HALF)),
    "Persimmon": ("PersimmonConfig", dict(head_dim=None, num_key_value_heads=None, rope_parameters=HALF)),
}


def model_of(name, dtype=torch.float32, **changes):
    """A random model whose norms and matrices are no identities: attention is sharp enough to be seen."""
    kind, own = {**MODELS, **PARTS}[name]
    settings = {**({"vocab_size": 199} if name == "GPT-2" else SMALL), **own, **changes}
    config = getattr(transformers, kind)(**{key: value for key, value in settings.items() if value is not None or key not in own})
    torch.manual_seed(20)
    model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="eager").eval()
    drawn = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            scale = 0.3 if parameter.dim() == 1 else 0.08
            parameter.add_(scale * torch.randn(parameter.shape, generator=drawn).to(dtype))
    return model


def ids_of(tokens, seed=1):
    return numpy.random.default_rng(seed).integers(2, 199, tokens).astype("int32")


def own_logits(model, ids):
    """Of the model's own eager attention, [tokens, vocab] float32."""
    with torch.no_grad():
        return model(torch.from_numpy(ids.astype("int64"))[None], use_cache=False).logits[0].float()


def sites(layers, key="0", value="0", query="0"):
    return (key + value + query) * layers


class Program:
    """Asks a Host, which answers in a thread of its own. `calls` has the messages of its visits and appends."""

    def __init__(self, model=None, tokenizer=None):
        ours, theirs, memory = pair()
        self._memory = memory
        self.channel = Channel(ours.detach(), memory)
        host = Host(Channel(theirs.detach(), memory), InMemory("memory", model, tokenizer))
        self._thread = threading.Thread(target=self._serve, args=(host,), daemon=True)
        self._thread.start()
        self.calls = []

    @staticmethod
    def _serve(host):
        torch.set_num_threads(1)
        host.serve()
        host.close()

    def close(self):
        self.channel.close()
        self._thread.join(30)
        os.close(self._memory)

    def ask(self, do, answer=None, **arguments):
        """The reply; answer(message) is called for each visit and append, and gives what is answered (None: {})."""
        self.channel.send({"do": do, **arguments})
        while True:
            message = self.channel.receive()
            if not {"visit", "visit_pair", "append", "rows"} & set(message):
                return message
            self.calls.append(message)
            self.channel.send((answer(message) if answer else None) or {})

    def array(self, place, *shape):
        return self.channel.array(place, "float32").reshape(shape)

    def put(self, array):
        return self.channel.put(numpy.ascontiguousarray(array))

    def logits(self, handle, ids, first, count, tap=None, answer=None):
        reply = self.ask("logits", answer, handle=handle, tokens=self.put(ids), first=first, count=count, tap=tap)
        if "at" not in reply:
            return reply
        return torch.from_numpy(self.array(reply["at"], count, -1).copy())

    def open(self, **changes):
        return self.ask("open", **{**dict(model="memory", device="cpu", dtype="fp32", threads=0, attention="plain"), **changes})
