#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes long caches of a dump's passages: so many of them, one after another, become one. A model with a short context gives caches of any length
so, of text that it did not see as a whole: for what codecs take of them, not for what a model makes of them. Keys have to be those before RoPE.
Needs h5py.

usage: join_passages.py DUMP OUT --together N [--passages M]     DUMP: of kakeya-capture; its first N * M passages become M [as many as there are]
"""
import argparse
import pathlib
import sys

import h5py
import numpy as np


def fail(text):
    sys.exit(f"join_passages: {text}")


def words(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def join(source, made, together, passages):
    for name, value in source.attrs.items():
        made.attrs[name] = value
    made.attrs["passages"] = np.int64(passages)
    made.attrs["tokens"] = np.int64(together * int(source.attrs["tokens"]))
    parts = []  # names of the datasets of a passage
    source["passages/0"].visititems(lambda name, of: parts.append(name) if isinstance(of, h5py.Dataset) else None)
    for passage in range(passages):
        group = made.create_group(f"passages/{passage}")
        taken = [source[f"passages/{passage * together + i}"] for i in range(together)]
        group.attrs["origin"] = " + ".join(words(one.attrs["origin"]) for one in taken if "origin" in one.attrs)
        for name in parts:
            group.create_dataset(name, data=np.concatenate([one[name][...] for one in taken]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--together", type=int, required=True)
    parser.add_argument("--passages", type=int)
    given = parser.parse_args()
    unfinished = given.out.with_name(given.out.name + ".unfinished")
    with h5py.File(given.dump, "r") as source, h5py.File(unfinished, "w") as made:
        if (tap := words(source.attrs.get("tap", "pre-rope"))) != "pre-rope":
            fail(f"{given.dump}: keys {tap}: expected pre-rope")
        there = int(source.attrs["passages"])
        passages = given.passages or there // given.together
        if given.together < 1 or passages < 1 or passages * given.together > there:
            fail(f"{given.dump}: {there} passages: expected {max(1, passages) * max(1, given.together)} or more")
        join(source, made, given.together, passages)
        tokens = int(made.attrs["tokens"])
    unfinished.rename(given.out)
    print(f"{given.out}: {passages} passages of {tokens} tokens")


if __name__ == "__main__":
    main()
