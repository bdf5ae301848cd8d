#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times a cold tier on a GPU: whole caches of bf16 keys and values to packed bytes and back, by codecs of libkakeya.so and by nvCOMP's ANS and bitcomp, over
the same vectors in one run, beside plain copies within the device and over the host link. Prints JSON.

CACHE is a dump of kakeya-capture (read with h5py), or a .npy of bf16 patterns, uint16 [passages, layers, 2, tokens, kv_heads, head_dim]. Its passages follow
one another, again and again, until there are --gigabytes of them: every byte lies at an address of its own, so that no cache of the GPU serves a pass over all.

  ratio               bytes of bf16 over bytes written: of ours frames with headers and checksums, of nvCOMP the sizes it gives
  compress, decompress
                      a pass over the whole cache; the median of --rounds by CUDA events. gb_per_second is of bf16. Ours takes `launches` calls, one after
                      another on a stream, of the keys or of the values of `layers_a_launch` layers (--together: a row each): a layer's pages alone are too
                      few for a GPU. Vectors lie head by head, [heads, tokens, head_dim] a layer, as in caches of Transformers. With scope=layer a call
                      takes whole tokens of --group layers. nvCOMP takes one call of all chunks
  restore             packed bytes from pinned memory to the device, a launch's layers at a time (nvCOMP: a layer), and decompressed there while the next
                      ones' come. Ours are decoded from where sections are already, after a copy within the device of as many bytes, which stands for
                      putting them there
  over_bf16           how many times as long bf16 itself takes over the same link, copied likewise
  break_even_link     GB/s of a link beyond which bf16 is there sooner than what is packed: bytes of bf16 a second that decompressing makes, or 0
                      where nothing is saved
  prefill             GB/s of bf16 keys and values that recomputing makes: a forward of LlamaModel (transformers, weights at random, bf16, SDPA) over
                      --prefill-tokens. Restoring is sooner on links beyond prefill_link, that times packed bytes over bf16's; null where decompressing
                      is slower
  left_out            what a library refuses, and its error

usage: nvcomp_cold.py CACHE [--kakeya LIBKAKEYA] [--nvcomp LIBNVCOMP] [--codec SPEC...] [--profile FILE.kkp] [--together N...] [--group N] [--gigabytes G] [--rounds R]
         [--prefill NAME=LAYERSxHIDDENxFFNxHEADSxKVxDIM...] [--prefill-tokens N] [--bench KAKEYA_BENCH]
libnvcomp.so.6 is in the wheel nvidia-libnvcomp-cu13; without --nvcomp it is sought as nvidia.libnvcomp.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
from ctypes import c_size_t, c_void_p

import numpy as np
import torch
from cold_libraries import ANY, NVCOMP, TOKEN, Kakeya, Launch, Nvcomp, Options

CODECS = ["klt:bits=3,lattice=z", "klt:bits=3,lattice=z,pages=prefix", "klt:bits=3,lattice=z,pages=fixed", "klt:bits=3,lattice=z,product=exact,pages=prefix",
          "klt:bits=3", "ece8:bits=3", "e8:q=10", "tq:b=4", "fp8"]
BEHIND = 1 << 25  # cycles that a stream waits, so that all launches are queued before the first begins


def milliseconds(run, rounds, behind=BEHIND):
    """The median of a pass, which the host has queued before the GPU begins."""
    times = []
    for turn in range(2 + rounds):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        torch.cuda._sleep(behind)
        begin.record()
        run()
        end.record()
        end.synchronize()
        if turn >= 2:
            times.append(begin.elapsed_time(end))
    return statistics.median(times)


class Cache:
    """[layer][part]: bf16 [tokens, kv_heads, head_dim] on the device, one after another in `flat`."""

    def __init__(self, path, gigabytes):
        parts = self.read(path)
        passages, self.layers, _, tokens, self.heads, self.dim = parts.shape
        one = parts.permute(1, 2, 0, 3, 4, 5).reshape(self.layers, 2, passages * tokens, self.heads, self.dim)
        copies = max(int(-(-gigabytes * 1e9 // (2 * one.numel()))), 1)
        self.tokens = copies * passages * tokens
        self.flat = one.cuda().repeat(1, 1, copies, 1, 1).contiguous()
        self.bytes = 2 * self.flat.numel()
        self.facts = {"file": path.name, "layers": self.layers, "kv_heads": self.heads, "head_dim": self.dim, "passages": passages,
                      "tokens_of_a_passage": tokens, "copies": copies, "tokens": self.tokens, "bytes": self.bytes}

    @staticmethod
    def read(path):
        if path.suffix == ".npy":
            return torch.from_numpy(np.load(path).view(np.int16)).view(torch.bfloat16)
        import h5py
        with h5py.File(path, "r") as dump:
            count, layers = int(dump.attrs["passages"]), int(dump.attrs["layers"])
            return torch.stack([torch.stack([torch.stack([torch.from_numpy(dump[f"passages/{p}/layers/{i}/{part}"][:].astype(np.float32)).bfloat16()
                                                          for part in "kv"]) for i in range(layers)]) for p in range(count)])


def token_steps(kakeya, spec, cache, group, workspace):
    """Tensors of whole tokens before and after, and launches, each in a list with those that are restored together."""
    if cache.layers % group != 0:
        raise RuntimeError(f"--group {group}: expected a divisor of {cache.layers} layers")
    # [tokens, layer, part, head, dim]: a launch's whole tokens are layer by layer keys of all heads, then values.
    before = cache.flat.view(cache.layers // group, 2 * group, cache.tokens, -1).transpose(1, 2).contiguous()
    after, steps = torch.empty_like(before), []
    for i in range(before.shape[0]):
        data, made = (x[i].reshape(cache.tokens, 1, -1) for x in (before, after))
        codec = kakeya.device_codec(spec, [Options(dim=data.shape[2], profiles=kakeya.profiles, first_layer=i * group, layer_count=group)])
        steps.append([Launch(kakeya, codec, data, made, workspace)])
    return before, after, steps


def head_steps(kakeya, spec, cache, together, workspace, any_site):
    """The same of vectors: a launch of the keys of all heads of `together` layers, and one of their values."""
    before = cache.flat.permute(1, 0, 3, 2, 4).contiguous()  # [part, layer, head, tokens, dim]
    after, steps = torch.empty_like(before), []
    shared = kakeya.device_codec(spec, [Options(dim=cache.dim, profiles=kakeya.profiles)]) if any_site else None
    for first in range(0, cache.layers, together):
        layers = range(first, min(first + together, cache.layers))
        steps.append([])
        for part in range(2):
            codec = shared or kakeya.device_codec(spec, [Options(dim=cache.dim, profiles=kakeya.profiles, has_site=1, layer=layer, part=part, head=head)
                                                         for layer in layers for head in range(cache.heads)])
            data, made = (x[part, first:layers.stop].reshape(-1, cache.tokens, cache.dim).transpose(0, 1) for x in (before, after))
            steps[-1].append(Launch(kakeya, codec, data, made, workspace))
    return before, after, steps


def kakeya_row(kakeya, spec, scope, together, cache, link, options):
    workspace = [torch.empty(256, dtype=torch.uint8, device="cuda")]
    if scope == TOKEN:
        before, after, steps = token_steps(kakeya, spec, cache, together, workspace)
    else:
        before, after, steps = head_steps(kakeya, spec, cache, together, workspace, scope == ANY)
    launches = [launch for step in steps for launch in step]

    def run(name):
        for launch in launches:
            getattr(launch, name)()

    compress = milliseconds(lambda: run("encode"), options.rounds)
    packed = [np.concatenate([launch.frames() for launch in step]) for step in steps]
    decompress = milliseconds(lambda: run("decode"), options.rounds)
    wrong = sum((a.float() - b.float()).square().sum().item() for a, b in zip(before, after))
    rel_mse = wrong / sum(a.float().square().sum().item() for a in before)
    if not rel_mse < 0.2:
        raise RuntimeError(f"{spec}: rel-MSE {rel_mse} of what was decoded")
    scratch = torch.empty(max(map(len, packed)), dtype=torch.uint8, device="cuda")

    def place_and_decode(step, staged):
        scratch[:staged.numel()].copy_(staged)
        for launch in step:
            launch.decode()

    work = [lambda staged, step=step: place_and_decode(step, staged) for step in steps]
    row = {"library": "kakeya", "codec": spec, "layers_a_launch": together, "launches": len(launches), "rel_mse": rel_mse,
           "bits_per_value": 16 * sum(map(len, packed)) / cache.bytes}
    return row_of(row, cache, packed, compress, decompress, link, work, options)


def kakeya_rows(kakeya, cache, link, options, left_out):
    rows = []
    for spec in options.codec:
        scope = tried(left_out, spec, kakeya.scope, spec)
        for together in [] if scope is None else [options.group] if scope == TOKEN else sorted({min(layers, cache.layers) for layers in options.together}):
            rows.append(tried(left_out, f"{spec}, {together} layers a launch", kakeya_row, kakeya, spec, scope, together, cache, link, options))
    return rows


def restore(packed, work, rounds):
    """Milliseconds from the first byte on the link to the last one decompressed; `work` of each piece gets it on the device."""
    host = [torch.from_numpy(piece).pin_memory() if isinstance(piece, np.ndarray) else piece for piece in packed]
    device = [torch.empty_like(piece, device="cuda") for piece in host]
    copying, working = torch.cuda.Stream(), torch.cuda.Stream()
    times = []
    for turn in range(1 + rounds):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        with torch.cuda.stream(copying):
            torch.cuda._sleep(BEHIND)
            begin.record()
            for piece, to, what in zip(host, device, work):
                to.copy_(piece, non_blocking=True)
                there = torch.cuda.Event()
                there.record()
                working.wait_event(there)
                if what is not None:
                    with torch.cuda.stream(working):
                        what(to)
        end.record(working)
        end.synchronize()
        if turn >= 1:
            times.append(begin.elapsed_time(end))
    return statistics.median(times)


def row_of(row, cache, packed, compress, decompress, link, work, options):
    size = sum(map(len, packed))
    speed = {name: cache.bytes / ms / 1e6 for name, ms in (("compress", compress), ("decompress", decompress))}
    ms = restore(packed, work, options.rounds)
    row.update({"bytes": size, "ratio": cache.bytes / size, "compress_ms": compress, "compress_gb_per_second": speed["compress"], "decompress_ms": decompress,
                "decompress_gb_per_second": speed["decompress"], "restore_ms": ms, "restore_gb_per_second": cache.bytes / ms / 1e6,
                "restore_of_link": size / ms / 1e6 / link["gb_per_second"], "over_bf16": link["bf16_ms"] / ms,
                "break_even_link_gb_per_second": speed["decompress"] if size < cache.bytes else 0.0})
    of = f", {row['layers_a_launch']} layers a launch" if "layers_a_launch" in row else ""
    print(f"nvcomp_cold: {row['library']} {row['codec']}{of}: {row['ratio']:.2f}, {speed['compress']:.0f} and {speed['decompress']:.0f} GB/s", file=sys.stderr)
    return row


def words(numbers):
    return torch.tensor(numbers, dtype=torch.int64, device="cuda")


def text_of(method):
    name, kind, *_, chunk = method
    return f"{name},{kind},chunk={chunk}"


def nvcomp_row(nvcomp, method, cache, link, options):
    _, kind, prefix, packing, unpacking, chunk = method
    prefix = "nvcompBatched" + prefix
    exact = kind != "e4m3"
    data = cache.flat.view(cache.layers, -1)
    if not exact:  # lossy: codes of fp8 without a scale; bf16 is what ratio and speeds are of
        data = torch.stack([x.float().clamp(-448, 448).to(torch.float8_e4m3fn).view(torch.int8) for x in data])
    data = data.contiguous().view(torch.uint8)
    out = torch.empty_like(data)
    sizes = [min(chunk, data.shape[1] - at) for at in range(0, data.shape[1], chunk)]
    each, count, total = len(sizes), len(sizes) * cache.layers, data.numel()
    most = (nvcomp.asked(prefix + "CompressGetMaxOutputChunkSize", chunk, packing, None) + 15) // 16 * 16
    temp = torch.empty(max(nvcomp.asked(prefix + "CompressGetTempSize", count, chunk, packing, None, total, c_void_p()),
                           nvcomp.asked(prefix + "DecompressGetTempSize", count, chunk, unpacking, None, total, c_void_p()), 256),
                       dtype=torch.uint8, device="cuda")
    room = torch.empty(count * most, dtype=torch.uint8, device="cuda")

    def places(tensor):
        return words([tensor.data_ptr() + layer * data.shape[1] + i * chunk for layer in range(cache.layers) for i in range(each)])

    given, made, plain = places(data), places(out), words(sizes * cache.layers)
    rooms, lengths, back = words([room.data_ptr() + i * most for i in range(count)]), torch.zeros_like(plain), torch.zeros_like(plain)
    statuses = torch.full((count,), -1, dtype=torch.int32, device="cuda")

    def pointer(tensor, first=0):
        return c_void_p(tensor.data_ptr() + first * tensor.element_size())

    def stream():
        return c_void_p(torch.cuda.current_stream().cuda_stream)

    def compress():
        nvcomp.call(prefix + "CompressAsync", pointer(given), pointer(plain), c_size_t(chunk), c_size_t(count), pointer(temp), c_size_t(temp.numel()),
                    pointer(rooms), pointer(lengths), packing, pointer(statuses), stream())

    def decompress(froms, first, number):
        nvcomp.call(prefix + "DecompressAsync", pointer(froms), pointer(lengths, first), pointer(plain, first), pointer(back, first), c_size_t(number),
                    pointer(temp), c_size_t(temp.numel()), pointer(made, first), unpacking, pointer(statuses, first), stream())

    def require_good():
        torch.cuda.synchronize()
        if statuses.any().item():
            raise RuntimeError(f"{prefix}: status {statuses.max().item()} of a chunk")

    packing_ms = milliseconds(compress, options.rounds)
    require_good()
    written = lengths.tolist()
    packed, offsets = [], []  # layer by layer, chunks one after another at multiples of 16
    for layer in range(cache.layers):
        mine = written[layer * each:(layer + 1) * each]
        starts = np.concatenate([[0], np.cumsum([(n + 15) // 16 * 16 for n in mine])]).tolist()
        piece = torch.empty(starts[-1], dtype=torch.uint8, device="cuda")
        for i, n in enumerate(mine):
            at = (layer * each + i) * most
            piece[starts[i]:starts[i] + n].copy_(room[at:at + n])
        packed.append(piece.cpu().numpy())
        offsets.append(words(starts[:-1]))
    unpacking_ms = milliseconds(lambda: decompress(rooms, 0, count), options.rounds)
    require_good()
    if not torch.equal(data, out):
        raise RuntimeError(f"{prefix}: what was decompressed differs")
    out.zero_()
    froms = [torch.empty(each, dtype=torch.int64, device="cuda") for _ in range(cache.layers)]

    def unpack(layer, staged):
        torch.add(offsets[layer], staged.data_ptr(), out=froms[layer])
        decompress(froms[layer], layer * each, each)

    work = [lambda staged, layer=layer: unpack(layer, staged) for layer in range(cache.layers)]
    row = row_of({"library": "nvcomp", "codec": text_of(method), "lossless": exact, "bits_per_value": 16 * sum(written) / cache.bytes}, cache,
                 packed, packing_ms, unpacking_ms, link, work, options)
    require_good()
    if not torch.equal(data, out):
        raise RuntimeError(f"{prefix}: what was restored differs")
    return row


def copies(cache, rounds):
    """Within the device, and of whole layers over the host link; the latter's way in is `link`."""
    to = torch.empty_like(cache.flat)
    device = 2 * cache.bytes / milliseconds(lambda: to.copy_(cache.flat), rounds) / 1e6
    host = torch.empty(cache.flat.shape, dtype=torch.bfloat16, pin_memory=True)
    out = cache.bytes / milliseconds(lambda: host.copy_(cache.flat, non_blocking=True), rounds) / 1e6
    ms = restore([x.reshape(-1) for x in host], [None] * cache.layers, rounds)
    return {"device_gb_per_second": device, "to_host_gb_per_second": out, "to_device_gb_per_second": cache.bytes / ms / 1e6,
            "bf16_restore_ms": ms}, {"gb_per_second": cache.bytes / ms / 1e6, "bf16_ms": ms}


def prefill(text, tokens, rounds):
    from transformers import LlamaConfig, LlamaModel
    name, shape = text.split("=")
    layers, hidden, ffn, heads, kv, dim = map(int, shape.split("x"))
    torch.set_default_device("cuda")
    torch.set_default_dtype(torch.bfloat16)
    model = LlamaModel(LlamaConfig(vocab_size=4096, hidden_size=hidden, intermediate_size=ffn, num_hidden_layers=layers, num_attention_heads=heads,
                                   num_key_value_heads=kv, head_dim=dim, max_position_embeddings=tokens, attn_implementation="sdpa")).eval()
    ids = torch.randint(0, 4096, (1, tokens))
    torch.set_default_dtype(torch.float32)
    torch.set_default_device("cpu")
    with torch.inference_mode():
        ms = milliseconds(lambda: model(ids, use_cache=True), max(rounds // 2, 1), 8 * BEHIND)
    made = 2 * 2 * tokens * layers * kv * dim
    return {"name": name, "shape": shape, "tokens": tokens, "ms": ms, "tokens_per_second": 1e3 * tokens / ms, "bytes_a_token": made // tokens,
            "kv_gb_per_second": made / ms / 1e6}


def tried(left_out, name, what, *arguments):
    """What `what` answers; of what fails nothing, but its error in `left_out`."""
    try:
        return what(*arguments)
    except (AttributeError, ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
        left_out[name] = str(error)
        print(f"nvcomp_cold: left out: {name}: {error}", file=sys.stderr)
        return None
    finally:
        torch.cuda.empty_cache()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--kakeya", type=pathlib.Path)
    parser.add_argument("--nvcomp", type=pathlib.Path)
    parser.add_argument("--codec", nargs="*", default=CODECS)
    parser.add_argument("--profile", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--together", nargs="*", type=int, default=[6])
    parser.add_argument("--group", type=int, default=1)
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--prefill", nargs="*", default=[])
    parser.add_argument("--prefill-tokens", type=int, default=16384)
    parser.add_argument("--bench", type=pathlib.Path)
    options = parser.parse_args()
    if min([options.group, *options.together]) < 1:
        parser.error(f"--group {options.group}, --together {' '.join(map(str, options.together))}: expected 1 or more")
    cache = Cache(options.cache, options.gigabytes)
    plain, link = copies(cache, options.rounds)
    if options.nvcomp is None:
        import nvidia.libnvcomp
        options.nvcomp = pathlib.Path(nvidia.libnvcomp.__file__).parent / "lib64" / "libnvcomp.so.6"
    nvcomp = Nvcomp(options.nvcomp)
    left_out = {}
    rows = [tried(left_out, text_of(method), nvcomp_row, nvcomp, method, cache, link, options) for method in NVCOMP]
    kakeya = Kakeya(options.kakeya, options.profile) if options.kakeya else None
    rows += kakeya_rows(kakeya, cache, link, options, left_out) if kakeya else []
    rows = [row for row in rows if row is not None]
    again = copies(cache, options.rounds)[0]
    prefills = [made for made in (tried(left_out, text, prefill, text, options.prefill_tokens, options.rounds) for text in options.prefill) if made is not None]
    for row in rows:
        row["prefill_link"] = {one["name"]: one["kv_gb_per_second"] / row["ratio"] if row["decompress_gb_per_second"] > one["kv_gb_per_second"] else None
                               for one in prefills}
    answer = {"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "nvcomp": nvcomp.version, "kakeya": kakeya and kakeya.version,
              "cache": cache.facts, "rounds": options.rounds, "copies": plain, "copies_after": again, "rows": rows, "prefill": prefills,
              "left_out": left_out}
    if options.bench:
        command = [str(options.bench), "gpu", "--pages", "none", "--json", "--codec", *options.codec]
        answer["bench"] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print(json.dumps(answer, indent=1))


if __name__ == "__main__":
    main()
