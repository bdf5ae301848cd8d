#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Another project (tests/consumer) builds and runs with the installed package, with add_subdirectory() and with FetchContent, and keeps
its own settings; one of C alone with the installed C library.

usage: consumer.py BUILD_FOLDER VERSION GENERATOR COMPILER [LAUNCHER]

Folders of its own stay below BUILD_FOLDER/consumer, so that a second run compiles nothing anew.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = VERSION = None
TOOLS = []


class Consumer(unittest.TestCase):
    def run_here(self, *command, **more):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        return done.stdout

    def configure(self, name, *flags):
        """The consumer's build folder, configured from nothing but with the objects of the last run."""
        folder = BUILD / "consumer" / name
        (folder / "CMakeCache.txt").unlink(missing_ok=True)
        said = self.run_here("cmake", "-S", ROOT / "tests/consumer", "-B", folder, *TOOLS, f"-DKAKEYA_SOURCE={ROOT}", f"-DKAKEYA_VERSION={VERSION}", *flags)
        self.assertNotIn("CMake Warning", said)
        return folder

    def check_programs(self, folder):
        programs = folder / "own_programs"
        self.assertTrue(programs.is_dir(), "the consumer's output folder is not its own any more")
        versions = self.run_here(programs / "versions").split()
        self.assertEqual(versions[:2], [VERSION, VERSION])
        self.assertIn("2 pages sealed", self.run_here(programs / "append_tokens"))
        self.assertRegex(self.run_here(programs / "encode_decode"), r"^e8:q=10: 4\.65 bits a value")
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "cache.kkv"
            said = self.run_here(programs / "pack_cache", file)
            self.assertIn(f"{file.stat().st_size} bytes for 204800 values", said)

    def test_installed_package(self):
        prefix = BUILD / "consumer" / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        self.run_here("cmake", "--install", BUILD, "--prefix", prefix, "--component", "codec")
        installed = {str(path.relative_to(prefix / "include")) for path in (prefix / "include").rglob("*") if path.is_file()}
        named = {line.split('"')[1] for line in (ROOT / "lib/kakeya/kakeya.h").read_text().splitlines() if line.startswith("#include")}
        self.assertEqual(installed, named | {"kakeya/kakeya.h"})
        folder = self.configure("package", "-DKAKEYA_FROM=package", f"-DCMAKE_PREFIX_PATH={prefix}")
        for line in (folder / "CMakeCache.txt").read_text().splitlines():
            self.assertFalse("hdf5" in line.lower() or "torch" in line.lower(), line)
        self.run_here("cmake", "--build", folder)
        self.check_programs(folder)

    def install_c(self):
        """The C library alone, away from where it was built and configured for."""
        if not (BUILD / "lib/bindings/c/libkakeya.so").exists():
            self.skipTest("built without the C library (KAKEYA_BUILD_BINDINGS)")
        prefix = BUILD / "consumer" / "c_prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        self.run_here("cmake", "--install", BUILD, "--prefix", prefix, "--component", "c")
        headers = [path.relative_to(prefix).as_posix() for path in prefix.rglob("*.h")]
        self.assertEqual(sorted(headers), [f"include/kakeya-c/{name}.h" for name in ("kakeya", "kakeya_device", "kakeya_plugin")])
        return prefix

    def check_c_program(self, program, **more):
        self.assertRegex(self.run_here(program, **more), r"^e8:q=10: 4\.65 bits a value")

    def test_c_library_by_cmake(self):
        prefix, folder = self.install_c(), BUILD / "consumer" / "c"
        (folder / "CMakeCache.txt").unlink(missing_ok=True)
        self.run_here("cmake", "-S", ROOT / "tests/consumer/c", "-B", folder, *TOOLS[:2], f"-DKAKEYA_SOURCE={ROOT}", f"-DKAKEYA_VERSION={VERSION}",
                      f"-DCMAKE_PREFIX_PATH={prefix}")
        self.run_here("cmake", "--build", folder)
        self.check_c_program(folder / "c_interface")

    def test_c_library_by_pkg_config(self):
        prefix = self.install_c()
        if shutil.which("pkg-config") is None:
            self.skipTest("no pkg-config (Debian: pkg-config)")
        libraries = next(prefix.rglob("libkakeya.so")).parent
        environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
        self.assertEqual(self.run_here("pkg-config", "--modversion", "kakeya", env=environment).strip(), VERSION)
        flags = self.run_here("pkg-config", "--cflags", "--libs", "kakeya", env=environment).split()
        with tempfile.TemporaryDirectory() as scratch:
            program = pathlib.Path(scratch) / "c_interface"
            self.run_here("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", ROOT / "apps/examples/c_interface.c", "-o", program, *flags)
            self.check_c_program(program, env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})

    def test_add_subdirectory(self):
        folder = self.configure("subdirectory", "-DKAKEYA_FROM=subdirectory", "-DKAKEYA_WITH_HIGHWAY=OFF", "-DKAKEYA_UNITY=12")
        self.run_here("cmake", "--build", folder, "--parallel", "2")
        self.check_programs(folder)

    def test_fetch_content(self):
        """The same targets in another way: what they make is for the test above."""
        folder = self.configure("fetch", "-DKAKEYA_FROM=fetch", "-DKAKEYA_WITH_HIGHWAY=OFF")
        self.run_here("cmake", "--build", folder, "--parallel", "2", "--target", "kakeya_core")
        self.assertTrue((folder / "own_libraries" / "libkakeya_core.a").is_file())

    def test_harness_in_another_project(self):
        """Asked for, kakeya::harness is there to link: configured alone, as the rooms themselves are built and run by their tests."""
        with tempfile.TemporaryDirectory() as scratch:
            lists = pathlib.Path(scratch)
            (lists / "p.cpp").write_text("int main() {}\n")
            (lists / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES C CXX)\nset(KAKEYA_BUILD_HARNESS ON)\nset(KAKEYA_CUDA OFF)\n"
                f"add_subdirectory({ROOT} kakeya EXCLUDE_FROM_ALL)\nadd_executable(p p.cpp)\ntarget_link_libraries(p PRIVATE kakeya::harness)\n"
                "if(TARGET kakeya-sweep)\n  message(FATAL_ERROR programs)\nendif()\n")
            self.run_here("cmake", "-S", lists, "-B", lists / "b", *TOOLS)
            wanted = self.run_here("ninja", "-C", lists / "b", "-t", "query", "p") if TOOLS[1] == "Ninja" else "kakeya_report"
            self.assertIn("kakeya_report", wanted)

    def test_other_components_and_versions_are_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            lists, prefix = pathlib.Path(scratch), BUILD / "consumer" / "prefix"
            self.run_here("cmake", "--install", BUILD, "--prefix", prefix, "--component", "codec")
            for call, said in (("kakeya REQUIRED COMPONENTS harness", "KAKEYA_BUILD_HARNESS"), ("kakeya 9 REQUIRED", VERSION)):
                (lists / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES CXX)\nfind_package({call})\n")
                done = subprocess.run(["cmake", "-S", lists, "-B", lists / "b", *TOOLS, f"-DCMAKE_PREFIX_PATH={prefix}"], capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    BUILD, VERSION = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    TOOLS = ["-G", sys.argv[3], f"-DCMAKE_CXX_COMPILER={sys.argv[4]}"]
    if len(sys.argv) > 5 and sys.argv[5]:
        TOOLS.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.argv[5]}")
    unittest.main(argv=sys.argv[:1])
