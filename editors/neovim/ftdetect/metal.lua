-- Neovim has no file type for Metal. Headers are Metal if they include a header of the Metal library without asking
-- first who compiles them: those that ask (`__METAL_VERSION__`) are C++ as well, and stay what they are.
vim.filetype.add({
  extension = { metal = 'metal', msl = 'metal', metalh = 'metal' },
  pattern = {
    ['.*%.h'] = function(_, buffer)
      for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 100, false)) do
        if line:find('__METAL_VERSION__', 1, true) then
          return nil
        end
        if line:find('^%s*#%s*include%s*<metal_') then
          return 'metal'
        end
      end
    end,
  },
})
