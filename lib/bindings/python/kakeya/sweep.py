# SPDX-License-Identifier: Apache-2.0
"""python -m kakeya.sweep: kakeya-sweep with its model in transformers. `--model` is a folder, a .gguf file, a short name
(nano, nano-bias, smollm2-135m, gemma3-270m) or a hub id; all other flags are the program's (--help)."""

from kakeya.hosting.programs import run

if __name__ == "__main__":
    run("kakeya-sweep")
