#!/usr/bin/env python3
"""Runs clang-tidy over the sources that a build compiles without torch, whose
headers clang 14 cannot read as C++20.

  check_tidy.py ROOT BUILD all        every such source: minutes
  check_tidy.py ROOT BUILD changed    those of the newest commit and since, at
                                      most eight
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_CHANGED = 8

# gcc's precompiled headers, which clang cannot read; sources do not need them.
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S+cmake_pch\.hxx")


def readable_commands(build):
    """The build's compile commands as clang can follow them."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in commands:
        entry["command"] = PRECOMPILED.sub("", entry["command"])
    return commands


def sources(root, build, commands):
    """The sources of ours in the build, without generated and torch's ones."""
    found = {pathlib.Path(entry["file"]) for entry in commands
             if "/csrc/api/include" not in entry["command"]}
    return sorted(path for path in found
                  if path.is_relative_to(root)
                  and not path.is_relative_to(build))


def changed(root):
    """What the newest commit or the working tree touches, newest first."""
    def git(*words):
        done = subprocess.run(["git", "-C", root, *words], check=False,
                              capture_output=True, text=True)
        return [root / line for line in done.stdout.splitlines()]

    return [*git("diff", "--name-only", "HEAD"),
            *git("ls-files", "--others", "--exclude-standard"),
            *git("diff", "--name-only", "HEAD~1", "HEAD")]


def tidy(path, database):
    done = subprocess.run(
        ["clang-tidy", "--quiet", "-p", database, "--warnings-as-errors=*",
         "--extra-arg=-Wno-unknown-warning-option",
         "--extra-arg=-Wthread-safety", path],
        check=False, capture_output=True, text=True)
    return path, done.returncode == 0, done.stdout + done.stderr


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in ("all", "changed"):
        sys.exit(__doc__)
    root, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    commands = readable_commands(build)
    chosen = sources(root, build, commands)
    if sys.argv[3] == "changed":
        newest = changed(root)
        chosen = [path for path in chosen if path in newest]
        if len(chosen) > MOST_CHANGED:
            print(f"the first {MOST_CHANGED} of {len(chosen)} changed sources; "
                  "the label long checks all")
            chosen = chosen[:MOST_CHANGED]

    good = True
    with tempfile.TemporaryDirectory() as database, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        (pathlib.Path(database) / "compile_commands.json").write_text(
            json.dumps(commands))
        for path, clean, output in pool.map(
                lambda p: tidy(p, database), chosen):
            print(f"{'clean' if clean else 'FAULT'} {path.relative_to(root)}",
                  flush=True)
            if not clean:
                print(output, flush=True)
                good = False
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
