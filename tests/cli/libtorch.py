#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LibTorch is loaded where a model runs: by no program at its start, and from beside the program.

usage: libtorch.py BIN [unittest arguments]
"""
import shutil
import subprocess

from program_case import ProgramCase, ROOT, command, main, output, scratch_folder

PROGRAMS = ("codec", "perplexity", "capture", "calibrate", "sweep", "report", "generate", "needle", "bench")


class LibTorch(ProgramCase):
    def test_no_program_loads_it_at_its_start(self):
        for program in PROGRAMS:
            loaded = output(program, LD_TRACE_LOADED_OBJECTS="1")
            self.assertIn("libstdc++", loaded)
            self.assertNotIn("torch", loaded, program)

    def test_it_is_taken_from_beside_the_program(self):
        folder = scratch_folder(self.addCleanup)
        program, library = folder / "bin/kakeya-perplexity", folder / "lib/kakeya/libkakeya_torch.so"
        for file in (program, library):
            file.parent.mkdir(parents=True)
        shutil.copy(command("perplexity")[0], program)
        for text, said in (("no library", "cannot be loaded: "), (None, "is of another build, expected that of this program, ")):
            if text:
                library.write_text(text)
            else:
                subprocess.run(["cc", "-shared", "-o", library, "-x", "c", "-"], input=b"void *kakeya_torch_library(void) { return 0; }\n", check=True)
            done = subprocess.run([program, "--model", ROOT / "data/models/nano", "--text", ROOT / "data/text/01-tides.txt"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{library}: {said}", done.stderr)


if __name__ == "__main__":
    main()
