# The Metal Shading Language in Kakoune: file type, highlighting as C++, and msl-analyzer through kakoune-lsp.
# Source it from kakrc behind `eval %sh{kak-lsp}`, which has to come first; without kakoune-lsp the rest works.

hook global BufCreate .*\.(metal|msl|metalh) %{ set-option buffer filetype metal }

hook global WinSetOption filetype=metal %{
    require-module c-family
    add-highlighter window/metal ref cpp
    add-highlighter window/metal-words regex \
        \b(kernel|vertex|fragment|device|constant|threadgroup|thread|threadgroup_imageblock|object_data|ray_data)\b \
        0:keyword
    hook -once -always window WinSetOption filetype=.* %{
        remove-highlighter window/metal
        remove-highlighter window/metal-words
    }
}

hook -group lsp-filetype-metal global BufSetOption filetype=metal %{
    set-option buffer comment_line //
    set-option buffer comment_block_begin /*
    set-option buffer comment_block_end */
    try %{
        set-option buffer lsp_language_id metal
        set-option buffer lsp_servers %{
            [msl-analyzer]
            root_globs = ["msl-analyzer.toml", "compile_commands.json", ".git"]
            command = "msl-analyzer"
            args = ["lsp"]
            settings_section = "msl-analyzer"
        }
    }
}

hook global WinSetOption filetype=metal %{ try %{ lsp-enable-window } }
