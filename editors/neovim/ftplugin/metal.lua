if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.bo.commentstring = '// %s'
vim.bo.comments = 'sO:* -,mO:*  ,exO:*/,s1:/*,mb:*,ex:*/,:///,://'
vim.bo.cindent = true
vim.bo.cinoptions = 'j1,(0,ws,Ws'
vim.opt_local.matchpairs:append('<:>')
vim.opt_local.suffixesadd:prepend({ '.h', '.metal' })
vim.b.undo_ftplugin = 'setl cms< com< cin< cino< mps< sua<'

-- Without the parser (`:Msl parser` builds it) the file has semantic highlighting alone.
if vim.treesitter.language.add('metal') then
  vim.treesitter.start(0, 'metal')
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | lua vim.treesitter.stop()'
end
