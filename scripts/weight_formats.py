#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a GGUF model again with other weights: every quantised matrix decoded to float32 and stored as F16, or as Q8_0.
Metadata, tokenizer, order and float32 tensors (norms) stay as they are; a matrix that has the wanted type already keeps its bytes.

    scripts/weight_formats.py IN.gguf OUT.gguf F16|Q8_0

It prints, for what it stored anew, the largest and the root mean square difference from the decoded weights, relative to their
root mean square. What was lost when the file given was quantised stays lost: F16 and Q8_0 of a Q4_1 model are that model, nearly,
and not the one that was trained. Needs the packages gguf and numpy.
"""

import argparse
import pathlib
import sys

import gguf
import numpy
from gguf import GGMLQuantizationType, LlamaFileType

FORMATS = {"F16": (GGMLQuantizationType.F16, LlamaFileType.MOSTLY_F16), "Q8_0": (GGMLQuantizationType.Q8_0, LlamaFileType.MOSTLY_Q8_0)}
WRITTEN_BY_LIBRARY = ("general.architecture", "general.alignment")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=pathlib.Path, metavar="IN.gguf")
    parser.add_argument("target", type=pathlib.Path, metavar="OUT.gguf")
    parser.add_argument("format", choices=FORMATS)
    args = parser.parse_args()
    if args.target.exists():
        sys.exit(f"weight_formats: {args.target}: is there already, expected another name")
    wanted, file_type = FORMATS[args.format]
    reader = gguf.GGUFReader(args.source)
    unfinished = args.target.with_name(args.target.name + ".unfinished")
    writer = gguf.GGUFWriter(unfinished, reader.fields["general.architecture"].contents())
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in WRITTEN_BY_LIBRARY:
            continue
        value = file_type if field.name == "general.file_type" else field.contents()
        of_array = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, value, field.types[0], sub_type=of_array)
    errors, energy, largest, values, kept = 0.0, 0.0, 0.0, 0, 0
    for tensor in reader.tensors:
        if tensor.tensor_type in (GGMLQuantizationType.F32, wanted):
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            kept += 1
            continue
        weights = gguf.dequantize(tensor.data, tensor.tensor_type)
        stored = gguf.quantize(weights, wanted)
        writer.add_tensor(tensor.name, stored, raw_dtype=wanted)
        difference = (gguf.dequantize(stored, wanted) - weights).astype(numpy.float64)
        errors += float(numpy.square(difference).sum())
        energy += float(numpy.square(weights.astype(numpy.float64)).sum())
        largest = max(largest, float(numpy.abs(difference).max()))
        values += weights.size
    if not values:
        sys.exit(f"weight_formats: {args.source}: no matrix of another type than {args.format}")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.rename(args.target)
    size = (energy / values) ** 0.5
    print(f"{args.target}: {values} weights as {args.format}, {kept} tensors as they were; rms difference {(errors / values) ** 0.5 / size:.2e}, "
          f"largest {largest / size:.2e} of the weights' rms {size:.4g}")


if __name__ == "__main__":
    main()
