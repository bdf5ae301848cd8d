#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nobody gets Gemma from scripts/fetch_model.sh without saying yes to its terms."""
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fetch_model.sh"


def fetch(folder, *words):
    return subprocess.run([SCRIPT, *words], capture_output=True, text=True, env={**os.environ, "KAKEYA_MODELS": folder})


def main():
    with tempfile.TemporaryDirectory() as folder:
        done = fetch(folder, "gemma3-270m")
        assert done.returncode == 2, done
        assert "ai.google.dev/gemma/terms" in done.stdout and "--accept-licence" in done.stderr, done
        assert len(done.stderr.splitlines()) == 1 and not os.listdir(folder), done
        for words in ((), ("--accept-licence",), ("gemma3-270m", "nano"), ("nosuch",)):
            done = fetch(folder, *words)
            assert done.returncode == 2 and "gemma3-270m" in done.stderr, done
        assert fetch(folder, "nano").returncode == 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
