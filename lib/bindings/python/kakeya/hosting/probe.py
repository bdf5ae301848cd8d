# SPDX-License-Identifier: Apache-2.0
"""What a model's structure tells, found by forwards of a few tokens: never by the model's name."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.hosting.forward import Forward


class Probe(Forward):
    """Watches one forward: the shapes of keys and values, and which module attends to which layer."""

    def __init__(self, name: str, layers: int):
        super().__init__()
        self.name, self.layers = name, layers
        self.shapes: typing.Dict[int, tuple] = {}
        self.modules: typing.Dict[int, torch.nn.Module] = {}  # of layers whose attention is ours
        self.query_heads = 0
        self.attended: typing.Dict[int, torch.Tensor] = {}

    def update(self, layer, keys, values):
        if layer in self.shapes:
            raise kakeya.InputError(f"layer {layer} of {self.name} stores keys twice in a forward: expected once")
        self.shapes[layer] = (tuple(keys.shape), tuple(values.shape))
        return keys, values

    def attend(self, call):
        layer = self.layer_of(call)
        if layer in self.modules:
            raise kakeya.InputError(f"layer {layer} of {self.name}: other layers attend to its keys too, which is not supported")
        self.modules[layer], self.query_heads = call.module, call.query.shape[1]
        made = super().attend(call)
        self.attended[layer] = made[0]
        return made

    def check(self, tokens: int) -> typing.Tuple[int, int]:
        """KV heads and head dim of every layer. Raises kakeya.InputError where layers differ or have none."""
        missing = [layer for layer in range(self.layers) if layer not in self.shapes]
        if missing:
            raise kakeya.InputError(f"layer {missing[0]} of {self.name} stores no keys and values: expected every layer to")
        first = self.shapes[0][0]
        for layer in range(self.layers):
            keys, values = self.shapes[layer]
            if len(keys) != 4 or keys[0] != 1 or keys[2] != tokens or keys != values:
                raise kakeya.InputError(
                    f"layer {layer} of {self.name}: keys of shape {list(keys)} and values of {list(values)}, expected "
                    f"[1, heads, {tokens}, dim] of both. MLA latents and values of another width are not supported"
                )
            if keys != first:
                raise kakeya.InputError(
                    f"layer {layer} of {self.name} has {keys[1]} KV heads of {keys[3]}, layer 0 {first[1]} of {first[3]}: expected one shape"
                )
        return first[1], first[3]


class Output(typing.NamedTuple):
    """What follows a layer's attention."""

    project: torch.nn.Module
    norm: typing.Optional[torch.nn.Module]


class OutputWatch:
    """Finds, in one forward of a Probe, what each attention's result is given to, and a norm that is given that in turn."""

    def __init__(self, model: torch.nn.Module, probe: Probe):
        self._probe = probe
        self._found: typing.Dict[int, dict] = {}
        self._hooks = []
        for module in model.modules():
            self._hooks.append(module.register_forward_pre_hook(self._enters, with_kwargs=True))
            self._hooks.append(module.register_forward_hook(self._leaves))
        self._inside: typing.List[torch.nn.Module] = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for hook in self._hooks:
            hook.remove()

    def outputs(self) -> typing.Dict[int, Output]:
        """Of each layer; of those where something else lies between, an entry is missing."""
        return {layer: Output(found["project"], found.get("norm")) for layer, found in self._found.items() if "result" in found}

    def _enters(self, module, args, kwargs):
        self._inside.append(module)
        given = args[0] if args else kwargs.get("hidden_states")
        if not isinstance(given, torch.Tensor):
            return
        for layer, attended in self._probe.attended.items():
            found = self._found.setdefault(layer, {})
            if "project" not in found and self._probe.modules[layer] in self._inside:
                found["project"] = module
                same = given.numel() == attended.numel() and torch.equal(given.reshape(-1), attended.reshape(-1))
                found["untouched"] = same
            elif "result" in found and "norm" not in found and given is found["result"]:
                found["norm"] = module

    def _leaves(self, module, args, made):
        self._inside.pop()
        if not isinstance(made, torch.Tensor):
            return
        for found in self._found.values():
            if found.get("project") is module and "result" not in found and found["untouched"]:
                found["result"] = made
            elif found.get("norm") is module and made is found["result"]:
                del found["norm"]  # a dropout, which does nothing


def linear_weight(module: torch.nn.Module, inputs: int) -> torch.Tensor:
    """The matrix of a module that computes a linear function of vectors of `inputs`: float32 [outputs, inputs] on the host.
    Raises kakeya.InputError where it computes none."""
    if type(module) is torch.nn.Linear:
        return module.weight.detach().float().cpu()
    some = next(module.parameters())
    kind = some.dtype if some.dtype.is_floating_point else torch.float32
    with torch.inference_mode():
        ones = torch.eye(inputs, dtype=kind, device=some.device)[None]
        zero = module(torch.zeros_like(ones[:, :1])).float()
        made = (module(ones).float() - zero)[0]
        twice = (module(2 * ones).float() - zero)[0]
    if not torch.allclose(twice, 2 * made, rtol=0.02, atol=1e-6):
        raise kakeya.InputError(f"{type(module).__name__} behind an attention is not linear")
    return made.T.contiguous().cpu()


def norm_gain(module: torch.nn.Module, width: int) -> torch.Tensor:
    """What a norm multiplies each of `width` coordinates by, whatever it stores: float32 on the host. It is fed +-1024, of
    mean 0 and one magnitude, so that centring and its epsilon do nothing; a bias falls out of the difference of both signs.
    Raises kakeya.InputError where the module is no norm."""
    signs = torch.ones(width)
    signs[1::2] = -1
    some = next(module.parameters(), None)
    device = torch.device("cpu") if some is None else some.device
    kind = torch.float32 if some is None else some.dtype
    with torch.inference_mode():
        given = (1024 * signs).to(device, kind)[None, None]
        made, other, half = (module(one).float().cpu().reshape(-1) for one in (given, -given, given / 2))
    if made.shape != signs.shape or not torch.allclose(made, half, rtol=0.02, atol=1e-3):
        raise kakeya.InputError(f"{type(module).__name__} behind an attention's output projection is no norm")
    return (made - other) / 2 * signs
