#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One text out of the files of an unpacked Debian package: source code as it is, manual pages without their roff.

usage: package_text.py python|man FOLDER OUT

Files are taken in the order of the SHA-256 of their paths, so that a few passages are of many subjects and the order is the same everywhere.
What is no UTF-8, a link or a page that only points to another is left out.
"""
import gzip
import hashlib
import pathlib
import re
import sys

# What a request keeps of its line: headings, and words in another font.
KEPT = {"SH", "SS", "B", "I", "BR", "RB", "BI", "IB", "IR", "RI", "SM", "SB", "TP", "IP", "Sh", "Ss", "Nm", "Nd", "Fl", "Ar", "It", "Op", "Xr", "Em", "Sy", "Li", "Cm", "Pa"}
SIGNS = {"aq": "'", "dq": '"', "cq": "’", "oq": "‘", "lq": "“", "rq": "”", "em": "—", "en": "–", "bu": "•", "co": "©", "Fo": "«", "Fc": "»", "ha": "^",
         "ti": "~", "ga": "`", "rs": "\\", "mu": "×", "de": "°", ".": ".", "<=": "≤", ">=": "≥", "->": "→", "<-": "←", "hy": "-", "Bq": "„", "bq": "‚"}
ESCAPES = re.compile(r"\\f(?:\[[^]]*\]|\(..|.)|\\s[-+]?\d\d?|\\[mMkF]\[[^]]*\]|\\\*(?:\[([^]]*)\]|\((..)|(.))|\\\[([^]]*)\]|\\\((..)|\\[hvwlLDonHSNbxX]'[^']*'|\\(.)")
BEFORE = {"-": "-", "e": "\\", "\\": "\\", "'": "´", "`": "`", " ": " ", "~": " ", "0": " ", "t": "\t", ".": "."}


def sign(match):
    by_name = match.group(1) or match.group(2) or match.group(3) or match.group(4) or match.group(5)
    if by_name is not None:
        if re.fullmatch(r"u[0-9A-F]{4,6}", by_name):
            return chr(int(by_name[1:], 16))
        return SIGNS.get(by_name, "")
    return BEFORE.get(match.group(6) or "", "")


def without_escapes(line):
    line = re.sub(r'\\["#].*', "", line)  # a comment
    return ESCAPES.sub(sign, line)


def words_of(arguments):
    """A request's arguments: words, or quoted ones."""
    return [quoted if quoted else plain for quoted, plain in re.findall(r'"((?:[^"]|"")*)"?|([^\s"]\S*)', arguments)]


def without_roff(page):
    """The words of a manual page, a line each line of its source. Nothing of a page that only names another (.so)."""
    lines, skipped_until = [], None
    for line in page.splitlines():
        if skipped_until is not None:  # a macro that the page defines, or text that is ignored
            if line.strip().startswith(skipped_until):
                skipped_until = None
            continue
        match = re.match(r"[.']\s*(\S+)\s*(.*)", line)
        if line[:1] in (".", "'") and not match:
            continue
        if not match:
            lines.append(without_escapes(line))
            continue
        request, arguments = match.groups()
        if request == "so":
            return ""
        if request in ("de", "ig", "am"):
            ends = words_of(arguments)[1:] if request != "ig" else words_of(arguments)
            skipped_until = "." + (ends[0] if ends else ".")
            continue
        if request in KEPT and arguments:
            words = words_of(arguments)
            if request == "IP":
                words = words[:1]
            if request == "TP":
                continue
            glue = "" if len(request) == 2 and request not in ("SH", "SS", "SM", "SB", "Sh", "Ss") and request.isupper() else " "
            lines.append(without_escapes(glue.join(words)))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()
    return text + "\n" if text else ""


def read(path):
    data = path.read_bytes()
    try:
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (UnicodeDecodeError, OSError, EOFError):
        return ""


def text_of(kind, folder):
    """The texts of the files, one after another; and how many there are."""
    found = sorted((path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()),
                   key=lambda path: hashlib.sha256(path.relative_to(folder).as_posix().encode()).hexdigest())
    texts = []
    for path in found:
        if kind == "python" and path.suffix == ".py":
            texts.append(read(path))
        if kind == "man" and re.search(r"/man\d[^/]*/[^/]+\.\d[^/]*$", path.as_posix()):
            texts.append(without_roff(read(path)))
    texts = [text if text.endswith("\n") else text + "\n" for text in texts if text.strip()]
    return "\n".join(texts), len(texts)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("python", "man"):
        sys.exit("usage: package_text.py python|man FOLDER OUT")
    kind, folder, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    text, files = text_of(kind, folder)
    if not files:
        sys.exit(f"package_text: {folder}: no {'Python source' if kind == 'python' else 'manual page'} in it: expected at least one")
    data = text.encode()
    out.write_bytes(data)
    print(f"{out}: {files} files, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
