# SPDX-License-Identifier: Apache-2.0
"""python -m kakeya.host SOCKET_FD MEMORY_FD: what kakeya's programs start for `--model transformers:NAME` and for codecs in
Python. It serves over the descriptors that it inherits, and ends with the program. Nobody else needs to call it."""

import os
import select
import signal
import sys
import threading
import time

from kakeya.hosting.channel import Channel
from kakeya.hosting.serve import Host


def _end_with(socket_fd: int) -> None:
    """Ends this process soon after the program closed its end, in the midst of a forward too."""
    waits = select.poll()
    waits.register(socket_fd, select.POLLHUP | select.POLLRDHUP)
    waits.poll()
    time.sleep(2)  # where nothing is computed it ends by itself
    os._exit(1)


def main() -> int:
    if len(sys.argv) != 3 or not all(word.isdigit() for word in sys.argv[1:]):
        print(f"usage: python -m kakeya.host SOCKET_FD MEMORY_FD\n\n{__doc__}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's, whose end ends this
    if not sys.stderr.isatty():  # where bars of progress would be lines and lines
        for name in ("HF_HUB_DISABLE_PROGRESS_BARS", "TQDM_DISABLE"):
            os.environ.setdefault(name, "1")
    os.dup2(2, 1)  # the program's output is its own: what libraries print goes to stderr
    threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()
    Host(Channel(int(sys.argv[1]), int(sys.argv[2]))).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
