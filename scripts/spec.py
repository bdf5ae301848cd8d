# SPDX-License-Identifier: Apache-2.0
"""The texts that name codecs, taken apart for every script as the library takes them (lib/kakeya/codec/spec.h); tests/cli/spec.py compares both."""
import functools
import re
from typing import NamedTuple

WORD = re.compile(r"[A-Za-z0-9_./-]+")


class Spec(NamedTuple):
    """A codec's name and its keys, in order."""
    name: str
    keys: dict  # shared by all that parse() gives for a text: not to be changed

    @classmethod
    @functools.lru_cache(maxsize=None)
    def parse(cls, text):
        """Of "name" or "name:key=value,key=value". Raises ValueError, in the library's words."""
        name, colon, rest = text.partition(":")
        keys, wrong = {}, "" if WORD.fullmatch(name) else "no codec name"
        for pair in rest.split(",") if colon and not wrong else ():
            key, equals, value = pair.partition("=")
            wrong = (f"no '=' in '{pair}'" if not equals else f"no key in '{pair}'" if not WORD.fullmatch(key) else
                     f"no value in '{pair}'" if not WORD.fullmatch(value) else f"key {key} is given twice" if key in keys else "")
            if wrong:
                break
            keys[key] = value
        if wrong:
            raise ValueError(f"codec '{text}': {wrong}; expected name or name:key=value,key=value")
        return cls(name, keys)

    def without(self, *keys):
        """The same but for these keys."""
        return Spec(self.name, {key: value for key, value in self.keys.items() if key not in keys})

    @property
    def text(self):
        return self.name + ":" * bool(self.keys) + ",".join(f"{key}={value}" for key, value in self.keys.items())
