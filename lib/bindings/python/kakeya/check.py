# SPDX-License-Identifier: Apache-2.0
"""kakeya.check_codec(MyCodec): what the library's codecs are held to, for a codec of your own.

    result = kakeya.check_codec(MyCodec)     # prints a line a check
    assert result, result                    # or: result["repeatable"].passed
    kakeya.load_plugin("./mine.so")          # a shared library (kakeya_plugin.h): by its spec
    kakeya.check_codec("mine:group=64")

Checks, by name:

    described        name, keys, constructor
    made             an instance for every dim
    bytes            encode() gives bytes
    shape            decode() gives [count, dim], for 1, 2, 7 and 33 vectors
    finite           what comes back of Gaussian and of heavy-tailed vectors has no NaN and no infinity
    no vectors       a frame of none comes back
    bound            no more bytes than the bound
    repeatable       the same vectors, the same bytes: again, and of a new instance
    input unchanged  encode() leaves its argument as it is
    memory layout    rows with gaps and float64 arrays give the same bytes
    no state         earlier bytes decode after later ones were made, in any order
    fresh instance   an instance that encoded nothing decodes the same
    fresh process    a process that encoded nothing decodes the same
    zeros, tiny, huge, one-hot
                     finite; zeros come back as zeros, the others with at most their own energy as error
    error            of Gaussian vectors: less than their own energy
    rate             the error falls as the rate key rises; skipped where there is none
    nominal bits     not fewer than the bytes hold, where the codec says some
    threads          four threads at once get what one gets
    damaged bytes    an error, or finite vectors of the right shape: no crash, no hang, no memory without bound

The figures beside them are of the whole frame, header and checksum included.
"""

from __future__ import annotations

import dataclasses
import threading
import typing

import numpy

import kakeya
from kakeya import plugins
from kakeya._apart import Apart, Died
from kakeya._described import has_bytes, kind_of, parse_spec
from kakeya._figures import Figure, figures_beside, heavy, normal, rel_mse

__all__ = ["Check", "CheckResult", "Figure", "check_codec"]

_COUNTS = (1, 2, 7, 33)
_MANY = 512


@dataclasses.dataclass
class Check:
    """One check: `passed` is None where it was skipped; `said` what was given and expected, or why."""

    name: str
    passed: typing.Optional[bool]
    said: str = ""

    def __str__(self) -> str:
        word = {True: "ok", False: "FAILED", None: "skipped"}[self.passed]
        return f"{self.name:<16}{word}" + (f"   {self.said}" if self.said else "")


@dataclasses.dataclass
class CheckResult:
    """True where no check failed. Iterates over the checks; result["bound"] is one."""

    spec: str
    checks: typing.List[Check]
    figures: typing.List[Figure]

    @property
    def failed(self) -> typing.List[str]:
        """The names of the checks that failed."""
        return [check.name for check in self.checks if check.passed is False]

    def __bool__(self) -> bool:
        return not self.failed

    def __iter__(self) -> typing.Iterator[Check]:
        return iter(self.checks)

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def __str__(self) -> str:
        lines = [f"{self.spec}: " + (f"{len(self.failed)} checks failed: {', '.join(self.failed)}" if self.failed else "all checks passed")]
        lines += [f"  {check}" for check in self.checks]
        for figure in self.figures:
            lines.append(f"  {figure.source:<13} dim {figure.dim:<5} {figure.codec:<24} {figure.bits:7.3f} bits a value, rel-MSE {figure.rel_mse:.3e}")
        return "\n".join(lines)


class _Failed(Exception):
    pass


class _Skipped(Exception):
    pass


def _said(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return text if isinstance(error, kakeya.Error) else f"{type(error).__name__}: {text}"


def _require(right: bool, said: str) -> None:
    if not right:
        raise _Failed(said)


class _Battery:
    """The checks of one spec at one dim."""

    def __init__(self, descriptor: plugins.Descriptor, spec: str, dim: int) -> None:
        self.descriptor, self.spec, self.dim = descriptor, spec, dim
        self.site = (0, "key", 0) if descriptor.scope == "head" else None

    def coder(self) -> plugins.Coder:
        return self.descriptor.open(self.spec, self.dim, self.site)

    def framed(self, spec: typing.Optional[str] = None) -> kakeya.Codec:
        return self.descriptor.framed(spec or self.spec, self.dim, self.site)

    def open(self) -> None:
        """Forks the process that encodes nothing, before anything is encoded here."""
        self.apart = Apart(self.coder)

    def close(self) -> None:
        self.apart.close()

    def check_bytes(self) -> None:
        coder = self.coder()
        made = coder.codec.encode(normal(2, self.dim))
        _require(not isinstance(made, str) and has_bytes(made), f"encode() gave {kind_of(made)}, expected bytes")

    def check_shape(self) -> None:
        coder = self.coder()
        for count in _COUNTS:
            coder.decode(coder.encode(normal(count, self.dim)), count)  # checks what came back

    def check_finite(self) -> None:
        coder = self.coder()
        for what, x in (("Gaussian", normal(33, self.dim)), ("heavy-tailed", heavy(33, self.dim))):
            wrong = int((~numpy.isfinite(coder.decode(coder.encode(x), 33))).sum())
            _require(wrong == 0, f"{wrong} of {x.size} decoded values of {what} vectors are not finite")

    def check_no_vectors(self) -> None:
        codec = self.framed()
        back = codec.decode(codec.encode(numpy.empty((0, self.dim), "float32")))
        _require(back.shape == (0, self.dim), f"{list(back.shape)}, expected [0, {self.dim}]")

    def check_bound(self) -> None:
        coder = self.coder()
        for count in (*_COUNTS, _MANY):
            for x in (normal(count, self.dim), heavy(count, self.dim)):
                made = len(bytes(memoryview(coder.codec.encode(x)).cast("B")))
                _require(made <= coder.bound(count), f"{made} bytes for {count} vectors, expected at most its bound, {coder.bound(count)}")

    def check_repeatable(self) -> None:
        coder, x = self.coder(), normal(33, self.dim)
        first = coder.encode(x)
        _require(coder.encode(x) == first, "encode() of the same vectors gave other bytes the second time")
        _require(self.coder().encode(x) == first, "encode() of the same vectors gave other bytes in a new instance")

    def check_input_unchanged(self) -> None:
        coder, x = self.coder(), normal(33, self.dim)
        kept = x.copy()
        coder.codec.encode(x)
        changed = int((x != kept).sum())
        _require(changed == 0, f"encode() changed {changed} of {x.size} values of its argument")

    def check_memory_layout(self) -> None:
        codec, x = self.framed(), normal(33, self.dim)
        wide = numpy.zeros((33, 2 * self.dim), "float32")
        wide[:, : self.dim] = x
        frame = codec.encode(x)
        _require(codec.encode(wide[:, : self.dim]) == frame, "rows with gaps gave other bytes than dense ones")
        _require(self.coder().encode(x.astype("float64")) == self.coder().encode(x), "float64 gave other bytes than float32")
        out = numpy.zeros((33, 2 * self.dim), "float32")
        codec.decode(frame, out=out[:, : self.dim])
        _require(bool((out[:, : self.dim] == codec.decode(frame)).all()), "decoded into rows with gaps, other values came back")

    def check_no_state(self) -> None:
        coder = self.coder()
        batches = [normal(count, self.dim, seed) * scale for seed, (count, scale) in enumerate(((33, 1), (7, 100), (33, 0.01)))]
        frames = [coder.encode(x) for x in batches]
        once = [coder.decode(frame, len(x)) for frame, x in zip(frames, batches)]
        for i in (2, 0, 1):
            again = coder.decode(frames[i], len(batches[i]))
            _require(numpy.array_equal(again, once[i]), f"bytes {i + 1} of {len(frames)} decoded to other values after the others were")
            _require(rel_mse(batches[i], again) < 1, f"bytes {i + 1} of {len(frames)}, decoded after all were made, are not those vectors")

    def check_fresh_instance(self) -> None:
        coder, x = self.coder(), normal(33, self.dim)
        data = coder.encode(x)
        here = coder.decode(data, 33)
        there = self.coder().decode(data, 33)
        _require(numpy.array_equal(there, here), "an instance that encoded nothing decoded other values")

    def check_fresh_process(self) -> None:
        coder, x = self.coder(), normal(33, self.dim)
        data = coder.encode(x)
        there = self.apart.decode(data, 33)
        if isinstance(there, str):
            raise _Failed(f"a process that encoded nothing: {there}")
        _require(numpy.array_equal(there, coder.decode(data, 33)), "a process that encoded nothing decoded other values")

    def _special(self, x: numpy.ndarray, most: float) -> None:
        codec = self.framed()
        x = x.astype("float32")
        y = codec.decode(codec.encode(x))
        if not x.any():
            return _require(not y.any(), f"the largest value decoded is {abs(y).max():g}, expected 0")
        error = rel_mse(x, y)
        _require(error <= most, f"rel-MSE {error:.3g}, expected at most {most:g}")

    def check_zeros(self) -> None:
        self._special(numpy.zeros((7, self.dim)), 0)

    def check_tiny(self) -> None:
        self._special(normal(7, self.dim) * 1e-20, 1)

    def check_huge(self) -> None:
        self._special(normal(7, self.dim) * 1e20, 1)

    def check_one_hot(self) -> None:
        self._special(numpy.eye(self.dim) * 3, 1)

    def check_error(self) -> None:
        codec, x = self.framed(), normal(_MANY, self.dim)
        error = rel_mse(x, codec.decode(codec.encode(x)))
        _require(error < 1, f"rel-MSE {error:.3g} of Gaussian vectors, expected less than 1, that of zeros")
        bits = 8 * len(self.coder().encode(x)) / x.size
        least = 4.0**-bits  # Shannon's bound, of real numbers; float32 has few enough to be kept as they are from some 24 bits on
        _require(bits > 16 or error > 0.9 * least, f"rel-MSE {error:.3g} of Gaussian vectors in {bits:.3g} bits a value, which allow "
                 f"{least:.3g} at best: what comes back is not in the bytes alone")  # fmt: skip

    def check_rate(self) -> None:
        key = next((k for k in self.descriptor.keys if k.rate), None)
        if key is None:
            raise _Skipped("no key says the rate")
        if key.kind not in (int, float):
            raise _Skipped(f"key {key.name} is no number")
        name, settings = parse_spec(self.spec)
        middle = key.kind(settings.get(key.name) or key.default)
        errors, x = [], normal(_MANY, self.dim)
        for value in (middle - 1, middle, middle + 1):
            text = ",".join(f"{k}={v}" for k, v in {**settings, key.name: value}.items())
            try:
                codec = self.framed(f"{name}:{text}")
            except (kakeya.SpecError, kakeya.InputError):
                continue  # out of its range
            frame = codec.encode(x)
            errors.append((value, len(frame), rel_mse(x, codec.decode(frame))))
        if len(errors) < 2:
            raise _Skipped(f"{key.name} takes no value next to {middle}")
        for (low, few, more), (high, many, less) in zip(errors, errors[1:]):
            _require(less < more, f"rel-MSE {less:.3g} at {key.name}={high}, {more:.3g} at {key.name}={low}: expected it to fall")
            _require(many > few, f"{many} bytes at {key.name}={high}, {few} at {key.name}={low}: expected them to rise")

    def check_nominal_bits(self) -> None:
        coder = self.coder()
        if coder.nominal is None:
            raise _Skipped("it says none")
        bits = 8 * len(coder.encode(normal(_MANY, self.dim))) / _MANY
        _require(coder.nominal >= 0.95 * bits, f"{coder.nominal:g} nominal bits a vector, its bytes hold {bits:g}")

    def check_threads(self) -> None:
        codec = self.framed()
        batches = [normal(33, self.dim, seed) for seed in range(4)]
        alone = [codec.encode(x) for x in batches]
        wrong: typing.List[str] = []

        def work(x: numpy.ndarray, frame: bytes) -> None:
            try:
                for _ in range(5):
                    if codec.encode(x) != frame:
                        wrong.append("other bytes than one thread alone")
                    codec.decode(frame)
            except Exception as error:
                wrong.append(_said(error))

        threads = [threading.Thread(target=work, args=each) for each in zip(batches, alone)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        _require(not wrong, wrong[0] if wrong else "")

    def check_damaged_bytes(self) -> None:
        data = self.coder().encode(normal(7, self.dim))
        random = numpy.random.default_rng(5)
        cases = [(f"the first {n} of {len(data)} bytes", data[:n]) for n in {0, 1, len(data) // 2, len(data) - 1}]
        cases.append(("an extra byte", data + b"\0"))
        cases.append(("all bytes 255", b"\xff" * len(data)))
        for trial in range(60):
            damaged = bytearray(data)
            for at in random.integers(0, len(data), 1 + trial % 3):
                damaged[at] = random.integers(0, 256)
            cases.append((f"changed bytes, trial {trial}", bytes(damaged)))
        for what, damaged in cases:
            try:
                made = self.apart.decode(damaged, 7)
            except Died as error:
                raise _Failed(f"{what}: {error}") from None
            # A message is an error that was raised. What is not finite, the library refuses.
            _require(isinstance(made, str) or made.shape == (7, self.dim), f"{what}: another shape")


_CHECKS = ("bytes", "shape", "finite", "no vectors", "bound", "repeatable", "input unchanged", "memory layout", "no state", "fresh instance", "fresh process",
           "zeros", "tiny", "huge", "one-hot", "error", "rate", "nominal bits", "threads", "damaged bytes")  # fmt: skip


def _run(battery: _Battery, checks: typing.Dict[str, Check], several: bool) -> None:
    where = f"dim {battery.dim}: " if several else ""
    try:
        battery.open()
    except Exception as error:
        checks["made"] = Check("made", False, where + _said(error))
        return
    try:
        for name in _CHECKS:
            known = checks.setdefault(name, Check(name, True))
            if known.passed is False:
                continue
            try:
                getattr(battery, "check_" + name.replace(" ", "_").replace("-", "_"))()
            except _Skipped as skipped:
                known.passed, known.said = None, str(skipped)
            except (_Failed, Died) as failed:
                known.passed, known.said = False, where + str(failed)
            except Exception as error:
                known.passed, known.said = False, where + _said(error)
    finally:
        battery.close()


def check_codec(codec: typing.Any, dims: typing.Sequence[int] = (64, 128), verbose: bool = True) -> CheckResult:
    """What kakeya.check_codec() does."""
    checks: typing.Dict[str, Check] = {}
    name = codec if isinstance(codec, str) else str(getattr(codec, "name", codec))
    figures: typing.List[Figure] = []
    try:
        if isinstance(codec, str):
            descriptor, spec = plugins.find(parse_spec(codec)[0]), codec
        else:
            descriptor = plugins.describe(codec)
            spec = descriptor.example
        checks["described"] = Check("described", True)
    except kakeya.Error as error:
        checks["described"] = Check("described", False, str(error))
    else:
        taken, refused = [], []
        for dim in dims:
            battery = _Battery(descriptor, spec, dim)
            try:
                battery.framed()
                taken.append(battery)
            except Exception as error:
                refused.append(f"dim {dim}: {_said(error)}")
        said = "; ".join(refused)
        checks["made"] = Check("made", bool(taken), said)
        for battery in taken:
            _run(battery, checks, len(taken) > 1)
        name = taken[0].framed().spec if taken else spec
        if taken and all(checks[each].passed for each in ("bytes", "shape", "bound")):
            try:
                figures = figures_beside(taken[-1].framed())
            except Exception:  # a check has said why
                figures = []
    result = CheckResult(name, list(checks.values()), figures)
    if verbose:
        print(result)
    return result
