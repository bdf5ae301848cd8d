# SPDX-License-Identifier: Apache-2.0
"""Programs that run as children of this process and whose model is in this process: measure(), capture(), calibrate()."""

from __future__ import annotations

import collections
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import typing

import kakeya
from kakeya.hosting.programs import PREFIX, command_flags, find


def measure(
    model, tokenizer=None, text=None, codec=None, out=None, report=False, **flags
) -> typing.List[typing.Dict[str, typing.Any]]:
    """Codecs inside a transformers model that is in memory: kakeya-sweep over it, with real bytes. The samples.

        samples = kakeya.measure(model, tokenizer, text="texts/", codec=["e8:q=10", "kivi:b={2,3,4}"], out="out/mine", report=True)

    model, tokenizer: of transformers; or a folder, .gguf file or hub id in place of both. text: a file, cut into passages, or
    a folder with a .txt file each. codec: a spec or several; patterns make grids; codecs of kakeya.register_codec() too. out: folder of the results, where a stopped
    run goes on when it is called again; None: a temporary one. report: True writes kakeya-report's tables and charts to
    `out`/report; a path, to there. flags: those of kakeya-sweep, as passages=4, ctx=1024, skip_edge_layers=0,
    profile="mine.kkp"; device and dtype are the model's own.

    A sample is a dict: codec_k, codec_v, passage, mode, kld_mean (nats), bits_per_value, bytes_written, nll (nats), ... The
    model is in eval() afterwards, else as it was. Raises kakeya.Error with the program's own line, or that of the model
    (kakeya.InputError where it is of a kind that cannot be measured).
    """
    if text is None or not (codec or flags.get("codec_k") or flags.get("codec_v")):
        raise kakeya.SpecError("expected text= (a file or folder) and codec= (a spec or several; codec_k= and codec_v= in its place)")
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.fspath(out) if out is not None else os.path.join(scratch, "out")
        own = registered_file(scratch, [codec, flags.get("codec_k"), flags.get("codec_v")])
        if own is not None:
            given = flags.pop("plugin", [])
            flags["plugin"] = [own] + (list(given) if isinstance(given, (list, tuple)) else [given])
        try:
            _serve("kakeya-sweep", model, tokenizer, dict(text=text, codec=codec, out=folder, **flags), own)
        except kakeya.Error as error:
            raise type(error)(f"{error}{_first_failure(folder)}") from error.__cause__
        if report:
            globals()["report"](folder, out=os.path.join(folder, "report") if report is True else report)
        return samples(folder)


def capture(model, tokenizer=None, text=None, out=None, **flags) -> typing.Dict[str, typing.Any]:
    """K and V (queries=True: Q too) of a model over texts, to the HDF5 file `out`, as kakeya-capture writes it. Its JSON:
    file, passages, layers, heads, dim, tokens. Arguments as measure(); flags: those of kakeya-capture."""
    if text is None or out is None:
        raise kakeya.SpecError("expected text= (a file or folder) and out= (the dump)")
    return json.loads(_serve("kakeya-capture", model, tokenizer, dict(text=text, out=out, **flags, json=True)))


def calibrate(model, tokenizer=None, text=None, out=None, **flags) -> typing.Dict[str, typing.Any]:
    """The profile that klt and kvtc need of a model, to `out` (.h5 with .kkp beside it, or .kkp), as kakeya-calibrate makes
    it. Its JSON: file, layers, bytes. text: files or folders of .txt files. flags: those of kakeya-calibrate, as
    scope="head", codec="kvtc"."""
    if text is None or out is None:
        raise kakeya.SpecError("expected text= (files or folders) and out= (the profile)")
    return json.loads(_serve("kakeya-calibrate", model, tokenizer, dict(text=text, out=out, **flags, json=True)))


def report(*folders, out, **flags) -> typing.Dict[str, typing.Any]:
    """Tables and charts of folders of results, to the folder `out`, as kakeya-report writes them. Its JSON."""
    command = [find("kakeya-report"), *map(os.fspath, folders), *command_flags(dict(out=out, **flags, json=True))]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise kakeya.Error(_last_line(done.stderr.splitlines(), "kakeya-report", done.returncode))
    return json.loads(done.stdout)


def samples(folder: typing.Union[str, os.PathLike]) -> typing.List[typing.Dict[str, typing.Any]]:
    """The lines of samples.jsonl of a folder of results."""
    with open(os.path.join(folder, "samples.jsonl")) as file:
        return [json.loads(line) for line in file]


def registered_file(folder: str, specs: typing.Sequence[typing.Any]) -> typing.Optional[str]:
    """Codecs of this process that specs name stand for a plugin's: a file of that name, with their source for the record,
    which only this process's host knows. None: specs name none."""
    plugins = sys.modules.get("kakeya.plugins")
    words = json.dumps([str(spec) for spec in specs])
    used = [one for name, one in sorted(getattr(plugins, "_registered", {}).items()) if name in words]
    if not used:
        return None
    path = os.path.join(folder, "registered.py")
    with open(path, "w") as file:
        for one in used:
            kind = one.source if inspect.isclass(one.source) else type(one.source)
            try:
                text = inspect.getsource(kind)
            except (OSError, TypeError):  # typed into an interpreter
                text = f"# {kind.__module__}.{kind.__qualname__}: no source\n"
            file.write(f"# {one.name}\n{text}\n")
    return path


# Of cells that failed, what the first one said.
def _first_failure(folder: str) -> str:
    try:
        with open(os.path.join(folder, "failures.jsonl")) as file:
            first = json.loads(file.readline())
        return f": {first.get('codec_k')}, passage {first.get('passage')}: {first.get('error') or first.get('reason') or first}"
    except (OSError, ValueError):
        return ""


# Runs a program whose model is `model`, serves it until it ends, and returns its stdout.
def _serve(program: str, model: typing.Any, tokenizer: typing.Any, flags: typing.Dict[str, typing.Any], registered: typing.Optional[str] = None) -> str:
    from kakeya.hosting.channel import Channel, pair
    from kakeya.hosting.serve import Host, InMemory

    path = find(program)
    in_memory, own = None, {"model": PREFIX + os.fspath(model)} if isinstance(model, (str, os.PathLike)) else {}
    if not own:
        in_memory = InMemory(_name_of(model), model, tokenizer)
        own = {"model": PREFIX + in_memory.name, **_place_of(model)}
    for name in own:
        if name in flags:
            raise kakeya.SpecError(f"{name}={flags[name]!r}: expected none, it is the model's own")
    ours, theirs, memory = pair()
    host = Host(Channel(ours.detach(), memory), in_memory, registered)
    child = None
    try:
        child = subprocess.Popen(
            [path, *command_flags({**own, **flags})], pass_fds=(theirs.fileno(), memory), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "KAKEYA_HOST": f"{theirs.fileno()},{memory}", "KAKEYA_PYTHON": sys.executable},
        )
        theirs.close()
        out, told = _Reader(child.stdout, None), _Reader(child.stderr, sys.stderr)
        host.serve()
        code = child.wait()
    except BaseException:
        if child is not None:
            _end(child)
        raise
    finally:
        host.close()
        theirs.close()
        os.close(memory)
    text, lines = out.all(), told.all().splitlines()
    if code:
        line = _last_line(lines, program, code)
        kind = type(host.raised) if host.raised is not None and str(host.raised) in line else kakeya.Error
        raise kind(line)
    return text


# Collects what a child writes, and passes it on as it comes.
class _Reader:
    def __init__(self, stream, onward):
        self._stream, self._onward = stream, onward
        self._parts: typing.Deque[bytes] = collections.deque()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        with self._stream:
            while part := self._stream.read1(1 << 16):
                self._parts.append(part)
                if self._onward is not None:
                    self._onward.write(part.decode("utf-8", "replace"))
                    self._onward.flush()

    def all(self) -> str:
        self._thread.join()
        return b"".join(self._parts).decode("utf-8", "replace")


def _end(child: subprocess.Popen) -> None:
    child.send_signal(signal.SIGINT)
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _last_line(lines: typing.Sequence[str], program: str, code: int) -> str:
    own = [line.split("\r")[-1] for line in lines if line.split("\r")[-1].startswith(program + ": ")]
    if own:
        return own[-1][len(program) + 2 :]
    return f"{program}: " + (f"ended by signal {-code}" if code < 0 else f"exit status {code}") + (f": {lines[-1]}" if lines else "")


def _name_of(model: typing.Any) -> str:
    path = getattr(model, "name_or_path", "") or type(model).__name__
    return f"{os.path.basename(os.path.normpath(path))} (in memory)"


def _place_of(model: typing.Any) -> typing.Dict[str, str]:
    weight = model.get_input_embeddings().weight
    names = {"torch.float32": "fp32", "torch.bfloat16": "bf16"}
    if str(weight.dtype) not in names:
        raise kakeya.InputError(f"a model of {weight.dtype}: expected torch.float32 or torch.bfloat16: model.to(torch.bfloat16)")
    return {"dtype": names[str(weight.dtype)], "device": str(weight.device)}
