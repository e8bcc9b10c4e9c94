#!/bin/sh
# Generates src/parser.c, src/grammar.json, src/node-types.json and src/tree_sitter/ from grammar.js,
# and records in src/generated.sha256 what was made from what.
#
# Needs Node.js, npm and cargo. The base grammars come from npm in the versions of package-lock.json; the command line
# tool is taken from $TREE_SITTER or the search path if its version fits, else it is installed below build/.
set -eu
cd "$(dirname "$0")"

# Tables change with the version of the tool: both are part of the digests, because this file is.
version=0.27.1
# The newest ABI that Neovim 0.11, Helix 25 and Emacs 30 all load.
abi=14

npm ci --ignore-scripts --no-audit --no-fund --silent

tool=${TREE_SITTER:-tree-sitter}
if [ "$("$tool" --version 2>/dev/null | cut -d ' ' -f 2)" != "$version" ]; then
  tool=build/tree-sitter-cli/bin/tree-sitter
  if [ ! -x "$tool" ]; then
    cargo install tree-sitter-cli --version "$version" --locked --root build/tree-sitter-cli
  fi
fi

"$tool" generate --abi "$abi"

if command -v sha256sum >/dev/null 2>&1; then sum=sha256sum; else sum="shasum -a 256"; fi
$sum grammar.js package.json package-lock.json regenerate.sh tree-sitter.json \
  src/scanner.c src/parser.c src/grammar.json src/node-types.json src/tree_sitter/*.h >src/generated.sha256
