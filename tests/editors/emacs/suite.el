;; Runs in Emacs --batch with the user's init file loaded and the fixture as the folder.
;; Prints one line for each check.  -*- lexical-binding: t -*-
(require 'json)
(require 'eglot)
(require 'flymake)

(defvar suite-expected
  (with-temp-buffer
    (insert-file-contents (getenv "MSL_EXPECTED"))
    (json-parse-buffer :object-type 'alist :array-type 'list)))

(defun suite-get (&rest keys)
  (let ((value suite-expected))
    (dolist (key keys value)
      (setq value (if (numberp key) (nth key value) (alist-get key value))))))

(defun suite-report (name ok detail)
  (princ (if ok (format "\nok %s\n" name)
           (format "\nFAILED %s: %s\n" name (replace-regexp-in-string "\n" " " (format "%S" detail))))))

(defmacro suite-check (name &rest body)
  "Report the check NAME. BODY gives (OK . DETAIL)."
  `(condition-case failure
       (let ((result (progn ,@body)))
         (suite-report ,name (car result) (cdr result)))
     (error (suite-report ,name nil failure))))

(defun suite-wait (condition)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05)))
  (funcall condition))

(defun suite-go-to (at)
  "Point on the first character of a place of expected.json."
  (goto-char (point-min))
  (search-forward (car at))
  (goto-char (match-beginning 0))
  (search-forward (cadr at))
  (goto-char (match-beginning 0)))

(defun suite-line ()
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(setq eglot-sync-connect 20 eglot-confirm-server-edits nil eglot-autoshutdown t
      make-backup-files nil auto-save-default nil create-lockfiles nil)
(find-file (suite-get 'file))

(suite-check "file type" (cons (eq major-mode 'metal-mode) major-mode))
;; The hook of the init file asked for it; in batch no idle moment comes that would start it.
(call-interactively #'eglot)
(suite-check "attach" (cons (eglot-managed-p) (process-list)))
(flymake-mode 1)
(flymake-start)

(suite-check "diagnostics"
  (let ((wanted (suite-get 'diagnostics)) found)
    (suite-wait (lambda () (setq found (flymake-diagnostics)) (>= (length found) (length wanted))))
    (setq found (sort found (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))
    (cons (and (= (length found) (length wanted))
               (cl-every (lambda (one want)
                           (suite-go-to (alist-get 'at want))
                           (and (= (flymake-diagnostic-beg one) (point))
                                (string-search (alist-get 'contains want) (flymake-diagnostic-text one))))
                         found wanted))
          (mapcar #'flymake-diagnostic-text found))))

(suite-check "hover with address spaces"
  (suite-go-to (suite-get 'hover 'at))
  (let* ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (text (substring-no-properties (eglot--hover-info (plist-get answer :contents) (plist-get answer :range)))))
    (cons (cl-every (lambda (part) (string-search part text)) (suite-get 'hover 'contains)) text)))

(suite-check "highlighting"
  (font-lock-ensure)
  (let ((faces (mapcar (lambda (want) (suite-go-to (alist-get 'at want)) (get-text-property (point) 'face))
                       (suite-get 'highlights))))
    (cons (and (eq (nth 0 faces) 'font-lock-keyword-face) (eq (nth 1 faces) 'font-lock-keyword-face)) faces)))

(suite-check "inlay hints"
  (eglot-inlay-hints-mode 1)
  (let* ((hints (jsonrpc-request (eglot-current-server) :textDocument/inlayHint
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range (list :start (list :line 0 :character 0)
                                                    :end (list :line (count-lines (point-min) (point-max))
                                                               :character 0)))))
         (labels (mapcar (lambda (hint) (plist-get hint :label)) hints)))
    (cons (member (alist-get 'label (suite-get 'inlayHints 0)) labels) labels)))

(suite-check "code action applied"
  (suite-go-to (suite-get 'codeAction 'at))
  (let* ((actions (eglot-code-actions (point) (point)))
         (action (cl-find (suite-get 'codeAction 'title) actions
                          :key (lambda (one) (plist-get one :title)) :test #'equal)))
    (eglot-execute (eglot-current-server) action)
    ;; Emacs tells the server in its next idle moment, which does not come in batch.
    (eglot--signal-textDocument/didChange)
    (suite-wait (lambda () (= (length (flymake-diagnostics)) (length (suite-get 'codeAction 'remaining)))))
    (cons (and (equal (suite-line) (suite-get 'codeAction 'line))
               (= (length (flymake-diagnostics)) (length (suite-get 'codeAction 'remaining))))
          (list (suite-line) (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))))

(suite-check "rename across files"
  (suite-go-to (suite-get 'rename 'at))
  (eglot-rename (suite-get 'rename 'to))
  (let (wrong)
    (dolist (pair (suite-get 'rename 'lines))
      (with-current-buffer (find-file-noselect (symbol-name (car pair)))
        (goto-char (point-min))
        (unless (search-forward (cdr pair) nil t)
          (push (buffer-string) wrong))))
    (cons (null wrong) wrong)))

(suite-check "nothing on the server's standard error"
  (let* ((server (eglot-current-server))
         (buffer (jsonrpc-stderr-buffer server))
         (text (if (buffer-live-p buffer) (with-current-buffer buffer (buffer-string)) "")))
    (cons (string-empty-p (string-trim text)) text)))

(suite-check "no warning"
  (let ((text (if (get-buffer "*Warnings*") (with-current-buffer "*Warnings*" (buffer-string)) "")))
    (cons (string-empty-p text) text)))

(suite-check "the server ends" (eglot-shutdown (eglot-current-server)) (cons t nil))
