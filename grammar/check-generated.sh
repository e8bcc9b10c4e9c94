#!/bin/sh
# Proves that the committed parser was generated from the committed grammar.
#
#   check-generated.sh          compares the digests in src/generated.sha256; if one differs, generates anew
#   check-generated.sh --full   always generates anew, in a temporary folder, and compares every byte
set -eu
cd "$(dirname "$0")"

if command -v sha256sum >/dev/null 2>&1; then sum=sha256sum; else sum="shasum -a 256"; fi
if [ "${1:-}" != --full ]; then
  if $sum -c src/generated.sha256 >/dev/null 2>&1; then
    echo "grammar: every file has the recorded digest"
    exit 0
  fi
  echo "grammar: a digest differs, generating anew"
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/src" build
cp grammar.js package.json package-lock.json tree-sitter.json regenerate.sh "$copy"
cp src/scanner.c "$copy/src"
# A tool that was built for an earlier run is used again, and one that is built now is kept.
ln -s "$PWD/build" "$copy/build"
"$copy/regenerate.sh"

status=0
for file in parser.c grammar.json node-types.json tree_sitter/alloc.h tree_sitter/array.h tree_sitter/parser.h \
  generated.sha256; do
  if ! cmp "src/$file" "$copy/src/$file"; then status=1; fi
done
if [ $status = 0 ]; then
  echo "grammar: generated anew, byte for byte the same"
else
  echo "grammar: src/ is not what grammar.js generates; run regenerate.sh and commit the result" >&2
fi
exit $status
