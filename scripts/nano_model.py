# SPDX-License-Identifier: Apache-2.0
"""The decoders that train_nano.py trains, each part named as in Hugging Face's implementation, so that the parameters'
names are those of the weights file. A configuration is the config.json that is written beside it: CONFIG is a Qwen3
decoder (RMS norm on queries and keys, no biases), nano_bias.BIAS_CONFIG a Qwen2 decoder (biases on queries, keys and
values, no such norm)."""

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


def head_dim(config):
    """Qwen3 names it; Qwen2 always has hidden_size / heads."""
    return config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])


def has_bias(config):
    """Whether queries, keys and values have biases (Qwen2) instead of the norm on queries and keys (Qwen3)."""
    return config["model_type"] == "qwen2"


class RMSNorm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x.float(), self.weight.shape, self.weight, self.eps).to(x.dtype)


def rotate(x, cos, sin):
    """Rotary embedding, rotate-half layout. x: [batch, heads, tokens, head_dim]."""
    low, high = x.float().chunk(2, dim=-1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), dim=-1).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden, dim, bias = config["hidden_size"], head_dim(config), has_bias(config)
        queries, keys = config["num_attention_heads"], config["num_key_value_heads"]
        self.q_proj = nn.Linear(hidden, queries * dim, bias=bias)
        self.k_proj = nn.Linear(hidden, keys * dim, bias=bias)
        self.v_proj = nn.Linear(hidden, keys * dim, bias=bias)
        self.o_proj = nn.Linear(queries * dim, hidden, bias=False)
        if bias:
            self.q_norm, self.k_norm = nn.Identity(), nn.Identity()
        else:
            self.q_norm, self.k_norm = RMSNorm(dim, config["rms_norm_eps"]), RMSNorm(dim, config["rms_norm_eps"])
        self.groups, self.dim = queries // keys, dim

    def forward(self, x, cos, sin):
        batch, tokens, _ = x.shape
        q, k, v = (p(x).view(batch, tokens, -1, self.dim) for p in (self.q_proj, self.k_proj, self.v_proj))
        q = rotate(self.q_norm(q).transpose(1, 2), cos, sin)
        k = rotate(self.k_norm(k).transpose(1, 2), cos, sin).repeat_interleave(self.groups, dim=1)
        v = v.transpose(1, 2).repeat_interleave(self.groups, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, tokens, -1))


class Mlp(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden, inner = config["hidden_size"], config["intermediate_size"]
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self_attn, self.mlp = Attention(config), Mlp(config)
        self.input_layernorm = RMSNorm(config["hidden_size"], config["rms_norm_eps"])
        self.post_attention_layernorm = RMSNorm(config["hidden_size"], config["rms_norm_eps"])

    def forward(self, x, cos, sin, dropout):
        x = x + F.dropout(self.self_attn(self.input_layernorm(x), cos, sin), dropout, self.training)
        return x + F.dropout(self.mlp(self.post_attention_layernorm(x)), dropout, self.training)


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))
        self.norm = RMSNorm(config["hidden_size"], config["rms_norm_eps"])


class Nano(nn.Module):
    """config: the config.json, CONFIG or nano_bias.BIAS_CONFIG. Biases start at 0."""

    def __init__(self, dropout, config=None):
        super().__init__()
        config = config or CONFIG
        self.model = Decoder(config)
        self.dropout = dropout
        half = torch.arange(0, head_dim(config), 2, dtype=torch.float64) / head_dim(config)
        angles = torch.arange(config["max_position_embeddings"], dtype=torch.float64)[:, None] * config["rope_theta"] ** -half
        self.register_buffer("cos", angles.cos().float(), persistent=False)
        self.register_buffer("sin", angles.sin().float(), persistent=False)
        shrink = (2 * config["num_hidden_layers"]) ** -0.5  # keeps the residual stream's variance at the start
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                scale = shrink if name.endswith(("o_proj.weight", "down_proj.weight")) else 1.0
                nn.init.normal_(weight, std=config["initializer_range"] * scale)
            elif name.endswith(".bias"):
                nn.init.zeros_(weight)

    def forward(self, tokens):
        cos, sin = self.cos[:tokens.shape[1]], self.sin[:tokens.shape[1]]
        x = F.dropout(self.model.embed_tokens(tokens), self.dropout, self.training)
        for layer in self.model.layers:
            x = layer(x, cos, sin, self.dropout)
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight)
