#!/usr/bin/env python3
"""Holds the house up: which folder may include what.

Reads the #include lines of every source file under a root and prints one line
for each that breaks a rule: file, line, what is included and the rule. With
packages of the system every library's headers are on the include path, so the
compiler would not notice. Reached through headers of ours counts too.

  check_includes.py ROOT
"""

import pathlib
import re
import sys

SOURCES = ("proto", "core", "worker", "coordinator", "client", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')

# Folders from low to high: a file includes from its own folder and from lines
# above its own, never from a neighbour on the same line. The longest prefix
# counts; */grpc and main.cc stand above all.
LAYERS = (
    ("core/base",),
    ("core/digest", "core/process", "core/flags", "core/log", "core/metrics"),
    ("core/job",),
    ("core/method", "core/model", "core/data", "core/optimizer"),
    ("core/partition",),
    ("core/resolve",),
    ("core/session", "core/simulator"),
    ("core",),
    ("worker/transport", "worker/checkpoint"),
    ("worker/model", "worker/data"),
    ("worker/optimizer",),
    ("worker/update",),
    ("worker/stage",),
    ("worker", "coordinator", "client"),
)
PROGRAMS = ("worker", "coordinator", "client")

# Suites wire whole clusters, as main.cc does.
SUITES = r"^tests/(contract|oracle|simulation|cluster|bench)/"
TENSOR_FOLDERS = (
    r"^(tests/)?worker/(update|optimizer|model|data)/"
    r"|^(tests/)?worker/stage/(?!stage\.h$)"
    r"|^tests/(support|fakes)/(tensor|torch)_[^/]*$"
    r"|^worker/main\.cc$"
)

# name, the headers it covers, the files that may reach them, the rule in words.
LICENCES = (
    ("torch", re.compile(r"^(torch|ATen|c10|caffe2)/"),
     re.compile(TENSOR_FOLDERS + "|" + SUITES),
     "torch only in worker/{stage,update,optimizer,model,data} but stage.h, "
     "and in worker/main.cc"),
    ("gRPC", re.compile(r"^(grpc|grpcpp|google/protobuf)/|\.pb\.h$"),
     re.compile(r"/grpc/|/main\.cc$|" + SUITES),
     "gRPC and generated headers only in folders named grpc/ and in main.cc"),
    ("spdlog", re.compile(r"^spdlog/"),
     re.compile(r"^(tests/)?core/log/"), "spdlog only in core/log"),
    ("SQLite", re.compile(r"^sqlite3\.h$"),
     re.compile(r"^(tests/)?coordinator/[^/]*$"),
     "SQLite only in coordinator/"),
)
BANNED = {
    "torch/torch.h": "include <torch/types.h>: torch/torch.h costs 20 s a file",
    "torch/extension.h": "include <torch/types.h>: this one needs Python",
}


def read_includes(root):
    """Maps each source file to its (line, included) pairs."""
    includes = {}
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cc", ".cu", ".cuh"):
                continue
            text = path.read_text(encoding="utf-8")
            lines = enumerate(text.splitlines(), start=1)
            found = [(n, INCLUDE.match(line)) for n, line in lines]
            includes[path.relative_to(root).as_posix()] = [
                (n, match.group(1)) for n, match in found if match]
    return includes


def layer_of(name):
    """The folder of LAYERS that a file belongs to, and its height."""
    best = (None, -1)
    for height, folders in enumerate(LAYERS):
        for folder in folders:
            if name.startswith(folder + "/") and len(folder) > len(
                    best[0] or ""):
                best = (folder, height)
    return best


def broken_direction(name, included):
    """The rule of direction that an include of ours breaks, or None."""
    if included.startswith("tests/"):
        return None if name.startswith("tests/") else (
            "the product does not include its tests")
    if name.startswith("tests/"):
        return None
    program, other = name.split("/")[0], included.split("/")[0]
    if other in PROGRAMS and program != other:
        return f"{program} does not know {other}"
    if name.endswith("/main.cc"):
        return None
    if "/grpc/" in included and "/grpc/" not in name:
        return "only grpc/ and main.cc include from a folder named grpc/"
    if "/grpc/" in name:
        return None
    (folder, height), (target, below) = layer_of(name), layer_of(included)
    if folder != target and below >= height:
        return f"{folder} stands on the lines above it, {target} is not there"
    return None


def chain_to(includes, header, pattern, allowed, seen):
    """How a header of ours gets to `pattern`: a chain of headers, or None.

    Ends at a licensed header; one without a licence is reported by itself.
    """
    if header in seen or header not in includes:
        return None
    seen.add(header)
    inside = [included for _, included in includes[header]]
    if allowed.search(header) and any(map(pattern.search, inside)):
        return [header]
    for included in inside:
        chain = chain_to(includes, included, pattern, allowed, seen)
        if chain:
            return [header] + chain
    return None


def broken_licences(includes, name):
    """Yields (line, included, rule) for headers the folder may not see."""
    for library, pattern, allowed, rule in LICENCES:
        if allowed.search(name):
            continue
        for line, included in includes[name]:
            if pattern.search(included):
                yield line, included, rule
                continue
            chain = chain_to(includes, included, pattern, allowed, set())
            if chain:
                way = " -> ".join(chain)
                yield line, included, f"{rule}; {library} comes in by {way}"


def check(root):
    """Returns the broken rules, one line of text each, sorted by place."""
    includes = read_includes(root)
    broken = []
    for name in includes:
        for line, included in includes[name]:
            rule = BANNED.get(included)
            if not rule and included.split("/")[0] in SOURCES:
                rule = broken_direction(name, included)
            if rule:
                broken.append((name, line, included, rule))
        broken += [(name, *entry) for entry in broken_licences(includes, name)]
    return [f"{name}:{line}: includes {included}: {rule}"
            for name, line, included, rule in sorted(broken)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    broken = check(pathlib.Path(sys.argv[1]))
    print("\n".join(broken))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
