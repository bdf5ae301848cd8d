# SPDX-License-Identifier: Apache-2.0
"""Programs that run as children of this process and whose model is in this process: measure(), capture(), calibrate()."""

from __future__ import annotations

import collections
import json
import os
import re
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
    a folder with a .txt file each. codec: a spec or several; patterns make grids; codecs of kakeya.register_codec() and
    kakeya.load_plugin() too.
    out: folder of the results, where a stopped run goes on when it is called again; None: a temporary one. It holds results
    of one codec of a name: where the class or instance that is registered does something else, or holds something else
    (help(kakeya.hosting.identity) says how far this is seen), that is an error. What an instance holds is what pickle would
    store, so one that keeps tables for later leaves them out in `__getstate__()`. report: True writes kakeya-report's tables
    and charts to `out`/report; a path, to there. plan: a plan.json, its content as a dict, or several, beside codec= or in its
    place. flags: those of kakeya-sweep, as passages=4, ctx=1024, skip_edge_layers=0, layers="0,5,10-20", layer_study=True,
    profile="mine.kkp"; device and dtype are the model's own.

    A sample is a dict: codec_k, codec_v, passage, mode, kld_mean (nats), bits_per_value, bytes_written, nll (nats), ... The
    model is in eval() afterwards, else as it was. Raises kakeya.Error with the program's own line, or that of the model
    (kakeya.InputError where it is of a kind that cannot be measured, or no model). Where cells fail, the error has the text
    of the first one; failures.jsonl in `out` has all.
    """
    if text is None or not (codec or flags.get("codec_k") or flags.get("codec_v") or flags.get("plan")):
        raise kakeya.SpecError("expected text= (a file or folder) and codec= (a spec or several; codec_k= and codec_v=, or plan=, in its place)")
    with tempfile.TemporaryDirectory() as scratch:
        if flags.get("plan"):
            flags["plan"] = plan_files(scratch, flags["plan"])
        folder = os.fspath(out) if out is not None else os.path.join(scratch, "out")
        named = [codec, flags.get("codec_k"), flags.get("codec_v"), *_texts_of(flags.get("plan", []))]
        own = registered_files(scratch, named, folder)
        files = [*own, *loaded_files(named)]
        if files:
            given = flags.pop("plugin", [])
            flags["plugin"] = [*files, *(given if isinstance(given, (list, tuple)) else [given])]
        try:
            _serve("kakeya-sweep", model, tokenizer, dict(text=text, codec=codec, out=folder, **flags), own)
        except kakeya.Error as error:
            told, file, failure = str(error), os.path.join(folder, "failures.jsonl"), _first_failure(folder)
            if out is None:  # the file goes with this call
                told = re.sub(rf"[:;,]? *(see )?{re.escape(file)}", "", told)
                failure += " (the first; out= keeps them all)" if failure else ""
            raise type(error)(f"{told}{failure}") from error.__cause__
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


def plan_files(scratch: str, plans: typing.Any) -> typing.List[str]:
    """Paths of plans; those that are given as dicts are written into `scratch`."""
    paths = []
    for number, plan in enumerate(plans if isinstance(plans, (list, tuple)) else [plans]):
        if not isinstance(plan, dict):
            paths.append(os.fspath(plan))
            continue
        paths.append(os.path.join(scratch, f"plan-{number}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(plan, file)
    return paths


# What stands in files; those that are not there the program names.
def _texts_of(paths: typing.Sequence[str]) -> typing.List[str]:
    texts = []
    for path in paths:
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                texts.append(file.read())
    return texts


def samples(folder: typing.Union[str, os.PathLike]) -> typing.List[typing.Dict[str, typing.Any]]:
    """The samples of a folder of results: of samples.jsonl and, where kakeya-sweep ran in shards, of their files, each cell once."""
    shards = [name for name in os.listdir(folder) if re.fullmatch(r"samples\.\d+-of-\d+\.jsonl", name)]
    whole = os.path.exists(os.path.join(folder, "samples.jsonl")) or not shards
    found: typing.Dict[typing.Tuple[typing.Any, ...], typing.Dict[str, typing.Any]] = {}
    for name in ["samples.jsonl"] * whole + sorted(shards):
        with open(os.path.join(folder, name)) as file:
            for line in file:
                if not line.endswith("\n"):
                    continue  # it is just being written
                sample = json.loads(line)
                # Shards may have measured a cell twice; a whole sweep writes each once.
                key = tuple(sample[part] for part in ("codec_k", "codec_v", "mode", "passage")) if shards else (len(found),)
                before = found.setdefault(key, sample)
                if any(before[part] != sample[part] for part in sample if not part.endswith("_seconds")):
                    raise kakeya.Error(f"{os.path.join(folder, name)}: {key}: measured twice, with other numbers")
    return list(found.values())


def registered_files(scratch: str, specs: typing.Sequence[typing.Any], results: str) -> typing.Dict[str, str]:
    """Codecs of this process that specs name stand for a plugin's each: {file: name}, files in `scratch` that say what the
    codec is (kakeya.hosting.identity), so that programs see in their digests that it is another one. Only this process's host
    knows the codecs. Raises kakeya.SpecError where `results` holds some of a codec of which that cannot be known."""
    from kakeya.hosting.identity import identity

    plugins = sys.modules.get("kakeya.plugins")
    if plugins is None:
        return {}
    words = _words_of(specs)
    made = {}
    for name, one in sorted(plugins._registered.items()):
        if name not in words or name in plugins._files:  # which are named by their file
            continue
        is_what = identity(one.source)
        if is_what.unknown and name in _codecs_of(results):
            raise kakeya.SpecError(
                f"{results}: holds results of {name}, and whether this is the same codec cannot be seen: it holds "
                f"{is_what.unknown[0]}: expected another folder, or a __getstate__() that leaves it out"
            )
        path = os.path.join(scratch, f"{name}.registered.py")
        with open(path, "w") as file:
            file.write(f"# {name}, registered in a process of Python: kakeya.hosting.identity\n# {is_what.sha256}\n")
        made[path] = name
    return made


def loaded_files(specs: typing.Sequence[typing.Any]) -> typing.List[str]:
    """The files of codecs that kakeya.load_plugin() made known and specs name."""
    plugins = sys.modules.get("kakeya.plugins")
    return [] if plugins is None else plugins.files_of(_words_of(specs))


# Every word that may be the name of a codec.
def _words_of(specs: typing.Sequence[typing.Any]) -> typing.Set[str]:
    return set(re.findall(r"[A-Za-z0-9_.\-]+", json.dumps([str(spec) for spec in specs])))


# Names of the plugins' codecs that a folder of results knows.
def _codecs_of(folder: str) -> typing.Set[str]:
    try:
        with open(os.path.join(folder, "provenance.json")) as file:
            runs = json.load(file)["runs"]
        return {codec["name"] for run in runs for plugin in run.get("plugins", []) for codec in plugin["codecs"]}
    except (OSError, ValueError, KeyError):  # which the program says better
        return set()


# Of cells that failed, what the first one said.
def _first_failure(folder: str) -> str:
    try:
        with open(os.path.join(folder, "failures.jsonl")) as file:
            first = json.loads(file.readline())
        return f": {first.get('codec_k')}, passage {first.get('passage')}: {first.get('error') or first.get('reason') or first}"
    except (OSError, ValueError):
        return ""


# Runs a program whose model is `model`, serves it until it ends, and returns its stdout.
def _serve(program: str, model: typing.Any, tokenizer: typing.Any, flags: typing.Dict[str, typing.Any], registered: typing.Optional[typing.Dict[str, str]] = None) -> str:
    from kakeya.hosting.channel import Channel, pair
    from kakeya.hosting.serve import Host, InMemory

    if not isinstance(model, (str, os.PathLike)) and not (hasattr(model, "get_input_embeddings") and hasattr(model, "config")):
        raise kakeya.InputError(
            f"model: {'None' if model is None else f'an object of type {type(model).__name__}'} was given: expected a model of "
            "transformers, or a folder, .gguf file or hub id"
        )
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
