;;; metal-mode.el --- Metal Shading Language, with msl-analyzer  -*- lexical-binding: t; -*-

;; Author: msl-analyzer contributors
;; URL: https://github.com/msl-analyzer/msl-analyzer
;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; A major mode for Metal, derived from `c++-mode', and the registration of the language server for Eglot and lsp-mode.
;;
;;     (require 'metal-mode)
;;     (add-hook 'metal-mode-hook 'eglot-ensure)     ; or 'lsp-deferred

;;; Code:

(require 'cc-mode)

(defgroup metal nil
  "Apple's Metal Shading Language."
  :group 'languages)

(defcustom metal-server-command '("msl-analyzer" "lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defcustom metal-settings nil
  "Settings of msl-analyzer, as a property list with the keys of msl-analyzer.toml.
For example (:std \"metal4.1\" :includes [\"include\"])."
  :type '(plist :key-type symbol :value-type sexp))

(defun metal--matcher (regexp)
  "A font-lock matcher for REGEXP outside of comments and strings.
What it finds is shown whatever `c++-mode' made of it."
  (lambda (limit)
    (let (found)
      (while (and (not found) (re-search-forward regexp limit t))
        (setq found (not (save-match-data (nth 8 (syntax-ppss (match-beginning 0)))))))
      found)))

(defvar metal-font-lock-keywords
  `((,(metal--matcher (regexp-opt '("kernel" "vertex" "fragment" "device" "constant" "threadgroup" "thread"
                                    "threadgroup_imageblock" "object_data" "ray_data" "coherent")
                                  'symbols))
     0 font-lock-keyword-face t)
    (,(metal--matcher
       (rx symbol-start
           (or "half" "uint" "ushort" "uchar" "ulong" "bfloat"
               (seq (or "float" "half" "int" "uint" "short" "ushort" "char" "uchar" "bool" "long" "ulong" "bfloat")
                    (any "2-4") (optional "x" (any "2-4")))
               (seq (or "texture" "depth") (+ (any "a-z0-9_")))
               "sampler")
           symbol-end))
     0 font-lock-type-face t)
    (,(metal--matcher (rx "[[" (* space) (group (+ (any "a-z_"))))) 1 font-lock-preprocessor-face t))
  "What `metal-mode' shows beyond C++.")

;;;###autoload
(define-derived-mode metal-mode c++-mode "Metal"
  "Major mode for Apple's Metal Shading Language."
  ;; Behind those of C++, which take qualifiers for types.
  (font-lock-add-keywords nil metal-font-lock-keywords 'append))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:metal\\|msl\\|metalh\\)\\'" . metal-mode))

(defun metal--settings (&optional _server)
  "The settings as Eglot sends them."
  (list :msl-analyzer (or metal-settings (make-hash-table :size 0))))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((metal-mode :language-id "metal")
                 . ,(lambda (&rest _) metal-server-command)))
  (when (boundp 'eglot-workspace-configuration)
    (add-hook 'metal-mode-hook
              (lambda ()
                (unless (local-variable-p 'eglot-workspace-configuration)
                  (setq-local eglot-workspace-configuration #'metal--settings))))))

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-activate-on "ext:lsp-mode")
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(metal-mode . "metal"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () metal-server-command))
                    :activation-fn (lsp-activate-on "metal")
                    :initialization-options (lambda () metal-settings)
                    :server-id 'msl-analyzer)))

(provide 'metal-mode)
;;; metal-mode.el ends here
