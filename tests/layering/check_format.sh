#!/usr/bin/env bash
# Fails where clang-format would change a C++ file, or shellcheck finds fault
# with a script. Prints what and where.
#
#   check_format.sh ROOT cpp|shell
set -euo pipefail

cd "$1"

# Tracked and new files alike; what git ignores is not ours.
ours() { git ls-files --cached --others --exclude-standard --deduplicate "$@"; }

case $2 in
  cpp)
    ours '*.h' '*.cc' '*.cu' | while read -r file; do
      [[ ! -f $file ]] || printf '%s\0' "$file"
    done | xargs -0 -r -n 16 -P "$(nproc)" clang-format --dry-run -Werror
    ;;
  shell)
    ours | while read -r file; do
      [[ -f $file ]] || continue
      if head -c 64 "$file" | head -n 1 | grep -aqE '^#!.*\b(ba)?sh\b'; then
        printf '%s\0' "$file"
      fi
    done | xargs -0 -r shellcheck
    ;;
  *)
    printf 'check_format: "%s" is neither cpp nor shell\n' "$2" >&2
    exit 2
    ;;
esac
