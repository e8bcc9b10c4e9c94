//! Metal's own words: address spaces and kinds of entry points.

use std::sync::Arc;

use super::Hover;
use crate::view::View;

/// Words with what they mean and where the MSL specification says so.
const KEYWORDS: &[(&str, &str)] = &[
    (
        "device",
        "Memory of the GPU that buffers are in: read and written by every thread of a dispatch, and kept when it ends (MSL spec §4.1).",
    ),
    (
        "constant",
        "Memory of the GPU that is only read: values of program scope and buffers that all threads read alike (MSL spec §4.2).",
    ),
    ("thread", "Memory of one thread: its variables and parameters, which no other thread sees (MSL spec §4.3)."),
    (
        "threadgroup",
        "Memory that the threads of one threadgroup share while the group runs (MSL spec §4.4). Whoever reads what another thread wrote waits at `threadgroup_barrier` first.",
    ),
    ("threadgroup_imageblock", "The pixels of an imageblock, shared by the threads of a tile (MSL spec §4.5)."),
    ("ray_data", "The payload of a ray, for intersection functions (MSL spec §4.6)."),
    ("object_data", "The payload that an object function hands to the mesh functions that it starts (MSL spec §4.7)."),
    (
        "coherent",
        "Writes to this device memory are seen by all threads of the GPU, not only of the threadgroup; since Metal 3.2.",
    ),
    ("kernel", "An entry point that a compute dispatch runs once for each thread of a grid (MSL spec §5.1.3)."),
    ("vertex", "An entry point that runs once for each vertex and gives at least its position (MSL spec §5.1.1)."),
    (
        "fragment",
        "An entry point that runs once for each fragment of a primitive and gives its colours and depth (MSL spec §5.1.2).",
    ),
];

pub(super) fn of_keyword(view: &View<'_>, path: &Arc<str>, offset: u32) -> Option<Hover> {
    let spot = *view.spots_at(path, offset).first()?;
    let text = view.preprocessed.tokens.get(spot.expanded)?.text();
    let &(word, documentation) = KEYWORDS.iter().find(|(word, _)| *word == text)?;
    Some(Hover {
        range: spot.range,
        declarations: vec![word.to_owned()],
        documentation: Some(documentation.to_owned()),
        ..Hover::default()
    })
}
