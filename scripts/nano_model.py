# SPDX-License-Identifier: Apache-2.0
"""The decoder that train_nano.py trains: Qwen3, each part named as in Hugging Face's implementation, so that the
parameters' names are those of the weights file. CONFIG is the config.json that is written beside it."""

import torch
import torch.nn.functional as F
from torch import nn

CONFIG = {
    "architectures": ["Qwen3ForCausalLM"],
    "attention_bias": False,
    "attention_dropout": 0.0,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "head_dim": 128,
    "hidden_act": "silu",
    "hidden_size": 192,
    "initializer_range": 0.02,
    "intermediate_size": 384,
    "max_position_embeddings": 2176,
    "max_window_layers": 8,
    "model_type": "qwen3",
    "num_attention_heads": 4,
    "num_hidden_layers": 8,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-06,
    "rope_scaling": None,
    "rope_theta": 10000.0,
    "sliding_window": None,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "use_cache": True,
    "use_sliding_window": False,
    "vocab_size": 4096,
}


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x.float(), self.weight.shape, self.weight, CONFIG["rms_norm_eps"]).to(x.dtype)


def rotate(x, cos, sin):
    """Rotary embedding, rotate-half layout. x: [batch, heads, tokens, head_dim]."""
    low, high = x.float().chunk(2, dim=-1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), dim=-1).to(x.dtype)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        hidden, dim = CONFIG["hidden_size"], CONFIG["head_dim"]
        queries, keys = CONFIG["num_attention_heads"], CONFIG["num_key_value_heads"]
        self.q_proj = nn.Linear(hidden, queries * dim, bias=False)
        self.k_proj = nn.Linear(hidden, keys * dim, bias=False)
        self.v_proj = nn.Linear(hidden, keys * dim, bias=False)
        self.o_proj = nn.Linear(queries * dim, hidden, bias=False)
        self.q_norm, self.k_norm = RMSNorm(dim), RMSNorm(dim)
        self.groups = queries // keys

    def forward(self, x, cos, sin):
        batch, tokens, _ = x.shape
        q, k, v = (p(x).view(batch, tokens, -1, CONFIG["head_dim"]) for p in (self.q_proj, self.k_proj, self.v_proj))
        q = rotate(self.q_norm(q).transpose(1, 2), cos, sin)
        k = rotate(self.k_norm(k).transpose(1, 2), cos, sin).repeat_interleave(self.groups, dim=1)
        v = v.transpose(1, 2).repeat_interleave(self.groups, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, tokens, -1))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn, self.mlp = Attention(), Mlp()
        self.input_layernorm = RMSNorm(CONFIG["hidden_size"])
        self.post_attention_layernorm = RMSNorm(CONFIG["hidden_size"])

    def forward(self, x, cos, sin, dropout):
        x = x + F.dropout(self.self_attn(self.input_layernorm(x), cos, sin), dropout, self.training)
        return x + F.dropout(self.mlp(self.post_attention_layernorm(x)), dropout, self.training)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(CONFIG["vocab_size"], CONFIG["hidden_size"])
        self.layers = nn.ModuleList(Layer() for _ in range(CONFIG["num_hidden_layers"]))
        self.norm = RMSNorm(CONFIG["hidden_size"])


class Nano(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.model = Decoder()
        self.dropout = dropout
        half = torch.arange(0, CONFIG["head_dim"], 2, dtype=torch.float64) / CONFIG["head_dim"]
        angles = torch.arange(CONFIG["max_position_embeddings"], dtype=torch.float64)[:, None] * CONFIG["rope_theta"] ** -half
        self.register_buffer("cos", angles.cos().float(), persistent=False)
        self.register_buffer("sin", angles.sin().float(), persistent=False)
        shrink = (2 * CONFIG["num_hidden_layers"]) ** -0.5  # keeps the residual stream's variance at the start
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                scale = shrink if name.endswith(("o_proj.weight", "down_proj.weight")) else 1.0
                nn.init.normal_(weight, std=CONFIG["initializer_range"] * scale)

    def forward(self, tokens):
        cos, sin = self.cos[:tokens.shape[1]], self.sin[:tokens.shape[1]]
        x = F.dropout(self.model.embed_tokens(tokens), self.dropout, self.training)
        for layer in self.model.layers:
            x = layer(x, cos, sin, self.dropout)
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight)
