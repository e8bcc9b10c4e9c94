//! What is offered keeps its promise: on programs that use generic pointers in many ways. The corpus is another test.

use std::{path::Path, sync::Arc};

use msl_db::{UnitOptions, file_system::DiskFiles};

use super::{analysis, request};
use crate::{Analysis, StdChoice, TrialOutcome, UnitRequest};

#[test]
fn on_programs_with_generic_pointers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/oracle/progs");
    let mut programs: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_string_lossy().replace('\\', "/"))
        .filter(|path| path.ends_with(".metal"))
        .collect();
    programs.sort();
    assert!(programs.len() > 50);
    let mut kept = 0;
    for path in programs {
        let version = request("metal4.1").std.version;
        let request = UnitRequest {
            path: path.as_str().into(),
            std: StdChoice { version, source: "test".into(), stated: true },
            options: UnitOptions::new(version),
            thresholds: Default::default(),
        };
        for trial in Analysis::new(Arc::new(DiskFiles::default())).try_actions(&request) {
            assert!(!matches!(trial.outcome, TrialOutcome::Broken(_)), "{path}: {trial:#?}");
            kept += usize::from(trial.outcome == TrialOutcome::Kept);
        }
    }
    assert!(kept > 100, "{kept} changes were made");
}

#[test]
fn what_is_refused_says_why() {
    let text = "\
float stays(thread const float *p) { return *p; }
float stays(constant float *p) { return *p; }
float get(thread const float *p) { return *p; }
float get(device const float *p) { return *p; }
";
    let trials = analysis(&[("main.metal", text)]).try_actions(&request("metal4.1"));
    let of = |title: &str| trials.iter().find(|trial| trial.title.contains(title)).map(|trial| &trial.outcome);
    assert_eq!(of("2 overloads of `get`"), Some(&TrialOutcome::Kept));
    let Some(TrialOutcome::Refused(reason)) = of("overloads of `stays`") else { panic!("{trials:#?}") };
    assert!(reason.contains("constant memory"), "{reason}");
}
