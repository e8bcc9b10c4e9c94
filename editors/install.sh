#!/bin/sh
# Sets one editor up from a checkout: `sh editors/install.sh neovim|vscode|helix|zed|emacs|kakoune`.
#
# The server itself has to be on the search path (`cargo install --path server`), or be named in the editor's settings.
# Writes only into the user's folders of that editor, and says what it wrote. Running it again brings things up to date.
set -eu
cd "$(dirname "$0")/.."
repository=$(pwd)
config=${XDG_CONFIG_HOME:-$HOME/.config}
data=${XDG_DATA_HOME:-$HOME/.local/share}

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# parser FILE: compiles the tree-sitter grammar.
parser() {
    mkdir -p "$(dirname "$1")"
    compiler=${CC:-cc}
    if ! command -v "$compiler" >/dev/null; then
        echo "no C compiler: the tree-sitter parser is left out (highlighting then comes from the server alone)"
        return
    fi
    "$compiler" -O2 -shared -fPIC -I grammar/src -o "$1" grammar/src/parser.c grammar/src/scanner.c
}

neovim() {
    target=$data/nvim/site/pack/msl-analyzer/start/msl-analyzer
    rm -rf "$target"
    mkdir -p "$target/grammar"
    cp -R editors/neovim/. "$target"
    cp -R grammar/src/. "$target/grammar"
    parser "$target/parser/metal.so"
    if command -v nvim >/dev/null; then
        nvim --headless -u NONE -c "helptags $target/doc" -c qa
    fi
    echo "wrote $target"
    echo "check with :checkhealth msl_analyzer"
}

vscode() {
    [ -d editors/vscode/node_modules ] || npm --prefix editors/vscode ci --no-audit --no-fund --ignore-scripts --silent
    package=$(cd editors/vscode && npm run --silent package)
    for editor in "${MSL_VSCODE:-}" code codium code-insiders; do
        if [ -n "$editor" ] && command -v "$editor" >/dev/null; then
            "$editor" --install-extension "$package" --force
            return
        fi
    done
    echo "wrote $package"
    echo "no \`code\` on the search path: install it with \"Extensions: Install from VSIX…\""
}

# append FILE BEGIN END TEXT: writes a marked part of a file, instead of an older one. The marks are whole lines.
append() {
    mkdir -p "$(dirname "$1")"
    touch "$1"
    {
        awk -v begin="$2" -v end="$3" '
            $0 == begin { skip = 1 }
            !skip { print }
            $0 == end { skip = 0 }' "$1"
        printf '%s\n%s\n%s\n' "$2" "$4" "$3"
    } >"$1.new"
    mv "$1.new" "$1"
    echo "wrote $1"
}

helix() {
    folder=$config/helix
    if [ -f "$folder/languages.toml" ] && sed '/^# msl-analyzer: begin$/,/^# msl-analyzer: end$/d' "$folder/languages.toml" |
        grep -q '^name *= *"metal"'; then
        fail "$folder/languages.toml has a language \"metal\" already; take over editors/helix/languages.toml by hand"
    fi
    append "$folder/languages.toml" "# msl-analyzer: begin" "# msl-analyzer: end" "$(cat editors/helix/languages.toml)"
    mkdir -p "$folder/runtime/queries/metal"
    cp editors/helix/queries/metal/*.scm "$folder/runtime/queries/metal"
    parser "$folder/runtime/grammars/metal.so"
    echo "wrote $folder/runtime"
    echo "check with: hx --health metal"
}

emacs() {
    if [ -n "${MSL_EMACS_DIR:-}" ]; then
        folder=$MSL_EMACS_DIR
    elif [ -d "$HOME/.emacs.d" ] || [ ! -d "$config/emacs" ]; then
        folder=$HOME/.emacs.d
    else
        folder=$config/emacs
    fi
    mkdir -p "$folder/lisp"
    cp editors/emacs/metal-mode.el "$folder/lisp"
    if [ ! -f "$HOME/.emacs" ] && [ ! -f "$HOME/.emacs.el" ]; then
        append "$folder/init.el" ";; msl-analyzer: begin" ";; msl-analyzer: end" \
            '(add-to-list (quote load-path) (locate-user-emacs-file "lisp"))
(require (quote metal-mode))
(add-hook (quote metal-mode-hook) (quote eglot-ensure))'
    else
        echo "wrote $folder/lisp/metal-mode.el; add to your init file:"
        echo "  (add-to-list 'load-path \"$folder/lisp\") (require 'metal-mode) (add-hook 'metal-mode-hook 'eglot-ensure)"
    fi
}

kakoune() {
    # A file in `autoload` of the user hides those that Kakoune brings, so it is sourced from kakrc.
    folder=$config/kak
    mkdir -p "$folder"
    cp editors/kakoune/metal.kak "$folder/metal.kak"
    append "$folder/kakrc" "# msl-analyzer: begin" "# msl-analyzer: end" 'source "%val{config}/metal.kak"'
}

zed() {
    echo "In Zed: \"zed: install dev extension\", and choose the folder"
    echo "  $repository/editors/zed"
    echo "Zed compiles it itself; Rust from rustup has to be installed."
}

case ${1:-} in
neovim | vscode | helix | emacs | kakoune | zed) "$1" ;;
*) fail "name an editor: neovim, vscode, helix, zed, emacs or kakoune" ;;
esac
