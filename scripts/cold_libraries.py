# SPDX-License-Identifier: Apache-2.0
"""libkakeya.so (kakeya.h, kakeya_device.h) and libnvcomp.so.6 (nvcomp/ans.h, bitcomp.h of nvCOMP 6.0) by ctypes, as far as nvcomp_cold.py calls them."""
import ctypes
from ctypes import byref, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_void_p

import numpy as np
import torch

ANY, HEAD, TOKEN = 0, 1, 2  # kakeya_scope
BF16 = 2  # kakeya_dtype


def sized(name, fields):
    """A struct of libkakeya that begins with its size."""
    made = type(name, (ctypes.Structure,), {"_fields_": [("size", c_size_t), *fields]})

    def filled(**values):
        return made(size=ctypes.sizeof(made), **values)
    return filled


Options = sized("Options", [("dim", c_size_t), ("profiles", c_void_p), ("has_site", c_int32), ("layer", c_int32), ("part", c_int32), ("head", c_int32),
                            ("first_layer", c_int32), ("layer_count", c_int32)])
Sizes = sized("Sizes", [(name, c_size_t) for name in ("sections_bytes", "workspace_bytes", "flag_words", "frame_bytes")])
Rows = sized("Rows", [("data", c_void_p), ("tokens", c_size_t), ("heads", c_size_t), ("token_stride", c_size_t), ("head_stride", c_size_t), ("dtype", c_int32),
                      ("reserved", c_int32)])
Memory = sized("Memory", [("sections", c_void_p), ("sections_bytes", c_size_t), ("workspace", c_void_p), ("workspace_bytes", c_size_t), ("flags", c_void_p),
                          ("flag_words", c_size_t)])


class DeviceCodec:
    def __init__(self, kakeya, handle):
        self.kakeya, self.handle = kakeya, handle

    def __del__(self):
        self.kakeya.lib.kakeya_device_codec_free(self.handle)


class Kakeya:
    """libkakeya.so."""

    def __init__(self, path, profiles):
        self.lib = ctypes.CDLL(str(path))
        self.lib.kakeya_last_error.restype = self.lib.kakeya_version.restype = c_char_p
        self.version = self.lib.kakeya_version().decode()
        self.profiles = c_void_p()
        self.call("profiles_create", byref(self.profiles))
        for profile in profiles:
            self.call("profiles_add_file", self.profiles, str(profile).encode())

    def call(self, name, *arguments):
        status = getattr(self.lib, "kakeya_" + name)(*arguments)
        if status != 0:
            raise RuntimeError(f"kakeya_{name}: {self.lib.kakeya_last_error().decode()}")

    def scope(self, spec):
        """ANY, HEAD or TOKEN."""
        scope = c_int32()
        self.call("scope_of", spec.encode(), byref(scope))
        return scope.value

    def device_codec(self, spec, options):
        """Of vectors that are coded in one launch; `options` one a codec."""
        hosts, made = (c_void_p * len(options))(), c_void_p()
        try:
            for i, one in enumerate(options):
                host = c_void_p()
                self.call("codec_create", spec.encode(), byref(one), byref(host))
                hosts[i] = host.value
            self.call("device_codec_create", hosts, c_size_t(len(options)), byref(made))
        finally:
            for host in hosts:
                self.lib.kakeya_codec_free(c_void_p(host))
        return DeviceCodec(self, made)


class Launch:
    """One launch's vectors, sections and memory."""

    def __init__(self, kakeya, codec, data, out, workspace):
        self.kakeya, self.codec, self.workspace = kakeya, codec, workspace
        self.tokens, self.heads, self.dim = data.shape
        self.sizes = Sizes()
        kakeya.call("device_codec_sizes", codec.handle, c_size_t(self.tokens), c_size_t(self.heads), byref(self.sizes))
        self.sections = torch.empty(self.sizes.sections_bytes, dtype=torch.uint8, device="cuda")
        self.flags = torch.zeros(max(self.sizes.flag_words, 4), dtype=torch.int32, device="cuda")
        if self.sizes.workspace_bytes > workspace[0].numel():
            workspace[0] = torch.empty(self.sizes.workspace_bytes, dtype=torch.uint8, device="cuda")
        self.data, self.out = (Rows(data=x.data_ptr(), tokens=self.tokens, heads=self.heads, token_stride=x.stride(0), head_stride=x.stride(1), dtype=BF16)
                               for x in (data, out))

    def memory(self):
        return Memory(sections=self.sections.data_ptr(), sections_bytes=self.sections.numel(), workspace=self.workspace[0].data_ptr(),
                      workspace_bytes=self.workspace[0].numel(), flags=self.flags.data_ptr(), flag_words=self.flags.numel())

    def encode(self):
        self.kakeya.call("device_encode", self.codec.handle, byref(self.data), byref(self.memory()), c_void_p(torch.cuda.current_stream().cuda_stream))

    def decode(self):
        self.kakeya.call("device_decode", self.codec.handle, byref(self.memory()), byref(self.out), c_void_p(torch.cuda.current_stream().cuda_stream))

    def frames(self):
        """Those of all heads, once encoded."""
        self.kakeya.call("device_check", self.codec.handle, c_void_p(self.flags.data_ptr()), c_size_t(self.heads), None)
        room, length, made = ctypes.create_string_buffer(self.sizes.frame_bytes), c_size_t(), []
        for head in range(self.heads):
            self.kakeya.call("device_frame", self.codec.handle, c_size_t(self.tokens), c_size_t(self.heads), c_size_t(head), c_void_p(self.sections.data_ptr()),
                             c_size_t(self.sections.numel()), None, room, c_size_t(len(room)), byref(length))
            made.append(np.frombuffer(room, np.uint8, length.value).copy())
        return np.concatenate(made)


class AnsCompress(ctypes.Structure):
    _fields_ = [("type", c_int), ("data_type", c_int), ("sub_chunks", c_uint8), ("states", c_uint8), ("reduction", c_uint8), ("reserved", c_char * 53)]


class AnsDecompress(ctypes.Structure):
    _fields_ = [("backend", c_int), ("data_type", c_int), ("sub_chunks", c_uint8), ("states", c_uint8), ("skip_validate", c_uint8), ("reserved", c_char * 53)]


class BitcompCompress(ctypes.Structure):
    _fields_ = [("algorithm", c_int), ("data_type", c_int), ("delta", c_double), ("mode", c_int), ("reserved", c_char * 44)]


class BitcompDecompress(ctypes.Structure):
    _fields_ = [("backend", c_int), ("reserved", c_char * 60)]


CHAR, E4M3, FLOAT16, UNKNOWN = 0, 9, 10, 0xff  # nvcompType_t
NVCOMP = [("ans", "float16", "ANS", AnsCompress(0, FLOAT16), AnsDecompress(0, UNKNOWN), 1 << 16),
          ("ans", "float16", "ANS", AnsCompress(0, FLOAT16), AnsDecompress(0, UNKNOWN), 1 << 18),
          ("ans", "char", "ANS", AnsCompress(0, CHAR), AnsDecompress(0, UNKNOWN), 1 << 16),
          ("ans", "e4m3", "ANS", AnsCompress(0, E4M3), AnsDecompress(0, UNKNOWN), 1 << 16),
          ("bitcomp", "float16", "Bitcomp", BitcompCompress(0, FLOAT16, 0.0, 0), BitcompDecompress(0), 1 << 16)]


class Nvcomp:
    """libnvcomp.so.6: batches of chunks."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(path))
        found = (c_uint32 * 2)()
        self.call("nvcompGetProperties", found)
        self.version = found[0]

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: status {status}")

    def asked(self, name, *arguments):
        """What a function answers in a size_t; arguments from that place on come after it."""
        place, number = arguments.index(None), c_size_t()
        self.call(name, *(byref(number) if i == place else (c_size_t(x) if isinstance(x, int) else x) for i, x in enumerate(arguments)))
        return number.value
