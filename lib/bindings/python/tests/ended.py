# SPDX-License-Identifier: Apache-2.0
"""What tests of programs that are ended in their midst share: who is left of a session, and when."""

import os
import signal
import subprocess
import time


def of_session(leader):
    """{process: its command line} of the session that `leader` began, without those that only wait to be reaped."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, _, _, session = file.read().rpartition(")")[2].split()[:4]
            if int(session) == leader and state != "Z":
                with open(f"/proc/{name}/cmdline") as file:
                    found[int(name)] = file.read().replace("\0", " ")
        except OSError:  # it has ended meanwhile
            pass
    return found


def started(command, **more):
    """A program in a session of its own, whose Ctrl-C and hang-up it heeds; for subprocess.Popen else."""

    def heed():
        for asks in (signal.SIGINT, signal.SIGHUP):  # tests in the background ignore the one, those of nohup the other
            signal.signal(asks, signal.SIG_DFL)

    return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, preexec_fn=heed, **more)  # fmt: skip


def until(is_time, seconds=60):
    """Waits for it. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not is_time():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} seconds")
        time.sleep(0.01)


def host_of(program):
    """The process of a program's host."""
    [host] = [process for process, words in of_session(program.pid).items() if "kakeya.host" in words]
    return host


def ended(test, program, seconds=30):
    """(exit status, stderr) of a program, of whose session nobody may be left."""
    try:
        said = program.communicate(timeout=seconds)[1]
        until(lambda: not of_session(program.pid), 10)
    finally:
        left = of_session(program.pid)
        for process in left:
            os.kill(process, signal.SIGKILL)
    test.assertEqual(left, {})
    test.assertNotIn("Traceback", said)
    return program.returncode, said
