#!/usr/bin/env python3
"""Reads what the built programs and tests are linked against: torch and gRPC
only where the folder's licence allows them, so that the client starts without
torch and the transport is tested without it.

  check_links.py BUILD
"""

import pathlib
import re
import subprocess
import sys

SUITES = r"^tests/(contract|oracle|simulation|cluster|bench|support)/"

# name, its libraries, the programs that may load them.
LICENCES = (
    ("torch", re.compile(r"^lib(torch|c10)"),
     re.compile(r"^bin/stagecoach-worker$"
                r"|^tests/worker/(update|optimizer|model|data|stage)/"
                "|" + SUITES)),
    ("gRPC", re.compile(r"^lib(grpc|protobuf)"),
     re.compile(r"^bin/|/grpc/|" + SUITES)),
)


def programs(build):
    for folder in ("bin", "tests"):
        for path in sorted((build / folder).rglob("*")):
            if path.is_file() and path.stat().st_mode & 0o100:
                with path.open("rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield path


def needed(path):
    done = subprocess.run(["readelf", "-d", path], check=True,
                          capture_output=True, text=True)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", done.stdout)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    good = True
    for path in programs(build):
        name = path.relative_to(build).as_posix()
        libraries = needed(path)
        for kind, pattern, allowed in LICENCES:
            found = [library for library in libraries if pattern.match(library)]
            if found and not allowed.search(name):
                print(f"{name} is linked against {found[0]}: "
                      f"no {kind} in this folder")
                good = False
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
