# SPDX-License-Identifier: Apache-2.0
"""The host's side of the protocol: requests in, replies out, one at a time."""

from __future__ import annotations

import copy
import importlib.metadata
import os
import sys
import traceback
import typing

import numpy

import kakeya
from kakeya.hosting.channel import PROTOCOL, Channel, Closed

_KINDS = ("SpecError", "InputError", "CorruptStream", "IoError")


class InMemory(typing.NamedTuple):
    """A model and its tokenizer that programs see under a name."""

    name: str
    model: typing.Any
    tokenizer: typing.Any


class Host:
    """Answers the requests of one program until it ends. in_memory: what is not loaded by its name. registered: paths of
    plugins that stand for a codec each that this process has registered, and its name."""

    def __init__(
        self, channel: Channel, in_memory: typing.Optional[InMemory] = None, registered: typing.Optional[typing.Dict[str, str]] = None
    ):
        self._channel, self._in_memory, self._registered = channel, in_memory, registered or {}
        channel.reply = self._reply
        self._depth = 0
        self._models: typing.Dict[int, typing.Any] = {}
        self._weights: typing.Dict[tuple, typing.Any] = {}
        self._tokenizers: typing.Dict[str, typing.Any] = {}
        self._next = 1
        self._codecs: typing.Any = None
        self.raised: typing.Optional[kakeya.Error] = None  # the last error that was replied with

    def close(self) -> None:
        self._channel.close()

    def serve(self) -> None:
        """Returns when the program has closed its end."""
        try:
            while True:
                self._channel.serve(self._channel.receive())
        except Closed:
            pass

    def _reply(self, request: dict) -> dict:
        try:
            done = getattr(self, f"_do_{request.get('do')}", None)
            if done is None:
                raise kakeya.InputError(f"request {request.get('do')!r}: not known to {self._about()}")
            if self._depth and request["do"] in ("logits", "prefill", "step"):
                raise kakeya.InputError(f"request {request['do']}: a forward within a forward")
            self._depth += 1
            try:
                return done(request)
            finally:
                self._depth -= 1
        except (Closed, KeyboardInterrupt, SystemExit):
            raise
        except Exception as error:
            self.raised = error if isinstance(error, kakeya.Error) else None
            return _error_of(error)

    def _about(self) -> str:
        words = [f"kakeya.host {kakeya.__version__}"]
        for package in ("transformers", "torch"):
            try:
                words.append(f"{package} {importlib.metadata.version(package)}")
            except importlib.metadata.PackageNotFoundError:
                words.append(f"no {package}")
        return ", ".join(words)

    def _do_hello(self, request):
        if request.get("protocol") != PROTOCOL:
            raise kakeya.InputError(f"protocol {request.get('protocol')}: expected {PROTOCOL}")
        return {"protocol": PROTOCOL, "host": self._about()}

    def _do_open(self, request):
        try:
            from kakeya.hosting.adapter import HostedModel
        except ImportError as error:
            raise kakeya.InputError(f"{request['model']}: {error}: {sys.executable} needs torch and transformers 5.x") from error

        attention = request.get("attention", "plain")
        if attention not in ("plain", "fused"):
            raise kakeya.SpecError(f"attention '{attention}': expected plain or fused")
        weights, name, digest, path = self._load(request)
        opened = HostedModel(weights, name, digest, path, fused=attention == "fused")
        handle, self._next = self._next, self._next + 1
        self._models[handle] = opened
        return {**opened.facts(), "handle": handle}

    # The weights of a request, shared by all that are opened with the same device and dtype: with name, digest and path.
    def _load(self, request):
        from kakeya.hosting import digest, facts, load

        key = (request["model"], request["device"], request["dtype"])
        if key in self._weights:
            return self._weights[key]
        if self._in_memory is not None and request["model"] == self._in_memory.name:
            model = self._in_memory.model
            kind, device = facts.dtype_of(request["dtype"]), load.torch_device(request["device"])
            own = model.get_input_embeddings().weight
            if own.dtype != kind or own.device.type != device.type:
                model = copy.deepcopy(model).to(device, kind)
            found = (model.eval(), self._in_memory.name, digest.sha256_model(self._in_memory.model), None)
        else:
            path = load.locate(request["model"])
            model = load.load_model(path, request["device"], request["dtype"], request.get("threads", 0))
            found = (model, facts.model_name(request["model"] if not os.path.exists(path) else path), digest.sha256_path(path), path)
        self._weights[key] = found
        return found

    def _do_close(self, request):
        del self._models[request["handle"]]
        if not self._models:
            self._weights.clear()
        return {}

    def _do_logits(self, request):
        from kakeya.hosting.taps import Stopped, Tap

        model = self._model(request)
        tokens = self._tokens(request)
        try:
            made = model.logits(tokens, request["first"], request["count"], Tap.of(request.get("tap"), model.layers), self._channel)
            rows = request.get("slice") or made.shape[0]
            for first in range(0, made.shape[0] - rows, rows):
                part = made[first : first + rows].numpy()
                if self._channel.call({"rows": len(part), "at": self._channel.put(part)}).get("stop"):
                    raise Stopped()
        except Stopped:
            return {"stopped": True}
        left = made.shape[0] - (-(-made.shape[0] // rows) - 1) * rows if rows else 0
        return {"at": self._channel.put(made[made.shape[0] - left :].numpy())}

    def _do_prefill(self, request):
        from kakeya.hosting.taps import Stopped, Tap

        model = self._model(request)
        try:
            model.prefill(self._tokens(request), Tap.of(request["tap"], model.layers), self._channel)
        except Stopped:
            return {"stopped": True}
        return {}

    def _do_step(self, request):
        from kakeya.hosting.taps import Stopped

        if request["tap"] not in ("pre-rope", "post-rope"):
            raise kakeya.InputError(f"tap '{request['tap']}': expected pre-rope or post-rope")
        try:
            made = self._model(request).step(request["batch"], self._tokens(request), request["tap"] == "pre-rope", self._channel)
        except Stopped:
            return {"stopped": True}
        return {"at": self._channel.put(made.numpy())}

    def _do_rope_frequencies(self, request):
        return {"frequencies": self._model(request).rope_frequencies(request["layer"])}

    def _do_attention_output(self, request):
        return {"at": self._channel.put(self._model(request).attention_output(request["layer"]).numpy())}

    def _do_tokenizer(self, request):
        try:
            from kakeya.hosting import facts, load
            from kakeya.hosting.tokens import HostedTokenizer
        except ImportError as error:
            raise kakeya.InputError(f"{request['model']}: {error}: {sys.executable} needs torch and transformers 5.x") from error

        if self._in_memory is not None and request["model"] == self._in_memory.name:
            if self._in_memory.tokenizer is None:
                raise kakeya.InputError(f"{request['model']}: no tokenizer was given with it")
            ends = load.ends_of(self._in_memory.model.generation_config, self._in_memory.model.config)
            found = HostedTokenizer(self._in_memory.tokenizer, self._in_memory.name, None, ends)
        else:
            path = load.locate(request["model"])
            found = HostedTokenizer(load.load_tokenizer(path), facts.model_name(request["model"]), path, load.ends_at(path))
        self._tokenizers[request["model"]] = found
        return found.about()

    def _do_encode(self, request):
        text = self._channel.array(request["at"], "uint8").tobytes()
        return {"at": self._channel.put(self._tokenizer(request).encode(text, bool(request["special"])))}

    def _do_decode(self, request):
        ids = self._channel.array(request["at"], "int32").copy()
        return {"at": self._channel.put(numpy.frombuffer(self._tokenizer(request).decode(ids), "uint8"))}

    def _do_special_in(self, request):
        return {"found": self._tokenizer(request).special_in(self._channel.array(request["at"], "uint8").tobytes())}

    def _do_plugin(self, request):
        hosted = self._plugins()
        if request["file"] in self._registered:
            return {"codecs": [sys.modules["kakeya.plugins"].find(self._registered[request["file"]]).json()]}
        return {"codecs": hosted.load(request["file"])}

    def _do_codec(self, request):
        return self._plugins().open(request["spec"], request["dim"], request.get("site"))

    def _do_codec_close(self, request):
        self._plugins().close(request["handle"])
        return {}

    def _do_codec_encode(self, request):
        codec = self._plugins().codec(request["handle"])
        data = codec.encode(self._channel.array(request["at"], "float32").reshape(request["count"], -1).copy())
        return {"at": self._channel.put(numpy.frombuffer(data, "uint8"))}

    def _do_codec_decode(self, request):
        codec = self._plugins().codec(request["handle"])
        made = codec.decode(self._channel.array(request["at"], "uint8").tobytes(), request["count"])
        return {"at": self._channel.put(numpy.ascontiguousarray(made, "float32"))}

    def _plugins(self):
        if self._codecs is None:
            from kakeya import plugins

            self._codecs = plugins.HostedCodecs()
        return self._codecs

    def _tokenizer(self, request):
        if request.get("model") not in self._tokenizers:
            raise kakeya.InputError(f"{request.get('model')}: its tokenizer was not asked for yet")
        return self._tokenizers[request["model"]]

    def _model(self, request):
        if request["handle"] not in self._models:
            raise kakeya.InputError(f"handle {request['handle']}: no such model is open")
        return self._models[request["handle"]]

    def _tokens(self, request):
        return self._channel.array(request["tokens"], "int32").astype("int64")


def _error_of(error: BaseException) -> dict:
    for kind in _KINDS:
        if isinstance(error, getattr(kakeya, kind)):
            return {"error": kind, "text": str(error)}
    if not isinstance(error, kakeya.Error):  # nobody foresaw it: say where
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    text = str(error) if isinstance(error, kakeya.Error) else f"{type(error).__name__}: {error}"
    return {"error": "Error", "text": " ".join(text.split())[:2000]}
