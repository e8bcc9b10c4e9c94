//! Completions and manual pages.

use crate::Folder;

#[test]
fn completions_know_commands_and_options() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = folder.run(&["completions", shell]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains("doctor") && run.stdout.contains("baseline"), "{shell}: {}", run.stdout);
    }
    assert_eq!(folder.run(&["completions", "cmd"]).status, 2);
}

#[test]
fn manual_pages() {
    let folder = Folder::new();
    let page = folder.run(&["man"]);
    assert_eq!(page.status, 0, "{}", page.stderr);
    assert!(
        page.stdout.contains(".TH msl-analyzer 1") && page.stdout.contains("msl\\-analyzer\\-check"),
        "{}",
        page.stdout
    );
    let page = folder.run(&["man", "check"]);
    assert!(page.stdout.contains("\\-\\-fix\\-dry\\-run"), "{}", page.stdout);
    assert_eq!(folder.run(&["man", "nothing"]).status, 2);
}
