//! The graph of a link: entry points, the tables that they call through, the groups of those calls, the functions that
//! fit, and the lists of host code that link them.

use msl_diagnostics::Place;
use msl_project::{LinkList, Setting};

use super::{
    depth::{CallDepth, depth_of},
    program::LinkProgram,
    shader::{CallTarget, FunctionKind},
};

/// A node of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    pub kind: GraphNodeKind,
    pub name: String,
    /// What else is known, in words.
    pub detail: String,
    pub place: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GraphNodeKind {
    Entry,
    Table,
    /// Calls through pointers that come from no parameter that is a table.
    Pointer,
    Group,
    Function,
    /// A list of host code: `functions`, `binaryFunctions`, functions that are added later.
    HostList,
}

impl GraphNodeKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            GraphNodeKind::Entry => "entry",
            GraphNodeKind::Table => "table",
            GraphNodeKind::Pointer => "pointer",
            GraphNodeKind::Group => "group",
            GraphNodeKind::Function => "function",
            GraphNodeKind::HostList => "host-list",
        }
    }
}

/// The graph; edges are pairs of indices of nodes, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkGraph {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<(usize, usize)>,
}

/// How a function gets into a pipeline, with what that costs and brings.
const MODES: [(&str, &str); 4] = [
    ("functions", "copied into the pipeline: the fastest calls, and a new function needs a new pipeline"),
    ("binaryFunctions", "compiled once and called across: pipelines are made faster and share it, calls cost more"),
    ("privateFunctions", "copied into the pipeline, and no handle of it can be taken"),
    ("added", "added to a finished pipeline: nothing is compiled again, and the pipeline has to support it"),
];

impl LinkGraph {
    fn node(&mut self, node: GraphNode) -> usize {
        match self.nodes.iter().position(|other| *other == node) {
            Some(index) => index,
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    fn edge(&mut self, from: usize, to: usize) {
        if !self.edges.contains(&(from, to)) {
            self.edges.push((from, to));
        }
    }

    /// The nodes that edges lead to.
    pub fn targets(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().filter(move |edge| edge.0 == from).map(|edge| edge.1)
    }
}

impl LinkProgram {
    /// The graph of all entry points that call through pointers, and of all visible functions.
    pub fn graph(&self) -> LinkGraph {
        let mut graph = LinkGraph::default();
        for (index, function) in self.functions.iter().enumerate() {
            if function.kind.is_entry() && function.is_defined {
                self.add_entry(index, &mut graph);
            }
        }
        for (index, function) in self.functions.iter().enumerate() {
            if function.kind == FunctionKind::Visible && function.is_defined {
                self.add_function(index, &mut graph);
            }
        }
        self.add_lists(&mut graph);
        graph.edges.sort_unstable();
        graph
    }

    fn add_function(&self, index: usize, graph: &mut LinkGraph) -> usize {
        let function = &self.functions[index];
        graph.node(GraphNode {
            kind: GraphNodeKind::Function,
            name: function.name.clone(),
            detail: function.signature.as_ref().map_or_else(String::new, |signature| signature.spelled.clone()),
            place: Some(function.place.clone()),
        })
    }

    /// An entry point and everything below it.
    fn add_entry(&self, index: usize, graph: &mut LinkGraph) {
        let fits = |_: usize, call: &super::shader::ShaderCall| self.reachable_through(call);
        let calls_pointers = self
            .reach(index)
            .iter()
            .any(|&at| self.functions[at].calls.iter().any(|call| call.target.is_through_pointer()));
        if !calls_pointers && self.functions[index].tables.is_empty() {
            return;
        }
        let function = &self.functions[index];
        let detail = match depth_of(self, index, &fits) {
            Some(CallDepth::Levels(levels, _)) => format!("{}, calls nest up to {levels} deep", function.kind.as_str()),
            Some(CallDepth::Recursive(cycle)) => {
                let names: Vec<&str> = cycle.iter().map(|&at| self.functions[at].own_name.as_str()).collect();
                format!("{}, calls may recurse: {}", function.kind.as_str(), names.join(" → "))
            }
            None => function.kind.as_str().to_owned(),
        };
        let entry = graph.node(GraphNode {
            kind: GraphNodeKind::Entry,
            name: function.name.clone(),
            detail,
            place: Some(function.place.clone()),
        });
        for table in &function.tables {
            let node = self.table_node(table, graph);
            graph.edge(entry, node);
        }
        for at in self.reach(index) {
            let caller = &self.functions[at];
            for call in &caller.calls {
                let (name, table) = match &call.target {
                    CallTarget::Pointer { signature, table } => (signature.spelled.as_str(), *table),
                    CallTarget::Intersection => ("intersection functions", None),
                    CallTarget::Function { .. } | CallTarget::Open => continue,
                };
                let from = match table.and_then(|table| caller.tables.get(table)) {
                    Some(table) => self.table_node(table, graph),
                    None => graph.node(GraphNode {
                        kind: GraphNodeKind::Pointer,
                        name: name.to_owned(),
                        detail: format!("called in `{}`", caller.own_name),
                        place: Some(call.place.clone()),
                    }),
                };
                if from != entry {
                    let owner = if at == index || caller.kind != FunctionKind::Visible {
                        entry
                    } else {
                        self.add_function(at, graph)
                    };
                    graph.edge(owner, from);
                }
                let mut sources = vec![from];
                if !call.groups.is_empty() {
                    sources = call
                        .groups
                        .iter()
                        .map(|group| {
                            let node = graph.node(GraphNode {
                                kind: GraphNodeKind::Group,
                                name: group.clone(),
                                detail: name.to_owned(),
                                place: None,
                            });
                            graph.edge(from, node);
                            node
                        })
                        .collect();
                }
                for callee in self.reachable_through(call) {
                    for &source in &sources {
                        let is_member = match graph.nodes[source].kind {
                            GraphNodeKind::Group => self.is_member(&graph.nodes[source].name.clone(), callee),
                            _ => true,
                        };
                        if is_member {
                            let node = self.add_function(callee, graph);
                            graph.edge(source, node);
                        }
                    }
                }
            }
        }
    }

    fn table_node(&self, table: &super::shader::ShaderTable, graph: &mut LinkGraph) -> usize {
        let slot = table.slot.map_or(String::new(), |slot| format!("buffer({slot}), "));
        graph.node(GraphNode {
            kind: GraphNodeKind::Table,
            name: table.name.clone(),
            detail: format!("{slot}{}", table.signature.spelled),
            place: Some(table.place.clone()),
        })
    }

    /// Whether host code lists a function in a group; where no host code declares the group, it may.
    fn is_member(&self, group: &str, function: usize) -> bool {
        let mut is_declared = false;
        for host in &self.hosts {
            let stages = host.pipelines.iter().flat_map(|pipeline| &pipeline.stages);
            for declared in stages.filter_map(|stage| stage.link.as_ref()).flat_map(|link| &link.groups) {
                if declared.name == group {
                    is_declared = true;
                    let (members, is_complete) = self.resolve_list(host, &declared.members);
                    if !is_complete || members.contains(&function) {
                        return true;
                    }
                }
            }
        }
        !is_declared
    }

    /// How host code links a function: the list, and what that costs and brings.
    pub fn link_modes(&self, function: usize) -> Vec<(&'static str, &'static str)> {
        let mut found = Vec::new();
        for host in &self.hosts {
            for pipeline in &host.pipelines {
                let links = pipeline.stages.iter().filter_map(|stage| stage.link.as_ref());
                let lists = links.flat_map(|link| MODES.iter().zip([&link.functions, &link.binary, &link.private]));
                for (mode, list) in lists.chain(pipeline.added.iter().map(|added| (&MODES[3], added))) {
                    if !found.contains(mode) && self.resolve_list(host, list).0.contains(&function) {
                        found.push(*mode);
                    }
                }
            }
        }
        found
    }

    /// A function and what it reaches, through pointers by what fits.
    pub(crate) fn reach(&self, function: usize) -> Vec<usize> {
        let mut open = vec![function];
        let mut seen = Vec::new();
        while let Some(index) = open.pop() {
            if seen.contains(&index) {
                continue;
            }
            seen.push(index);
            for call in &self.functions[index].calls {
                match &call.target {
                    CallTarget::Function { .. } => open.extend(self.callee(call)),
                    _ => open.extend(self.reachable_through(call)),
                }
            }
        }
        seen
    }

    /// The lists of host code.
    fn add_lists(&self, graph: &mut LinkGraph) {
        for host in &self.hosts {
            for pipeline in &host.pipelines {
                let empty = LinkList::default();
                let mut lists = Vec::new();
                for stage in &pipeline.stages {
                    let link = stage.link.as_ref().unwrap_or(&empty);
                    let depth = match &stage.max_call_stack_depth {
                        Setting::Known(depth, _) => format!("; maxCallStackDepth {depth}"),
                        _ => String::new(),
                    };
                    for ((name, words), list) in MODES.iter().zip([&link.functions, &link.binary, &link.private]) {
                        lists.push((*name, format!("{words}{depth}"), list));
                    }
                }
                if let Some(added) = &pipeline.added {
                    lists.push((MODES[3].0, MODES[3].1.to_owned(), added));
                }
                for (name, detail, list) in lists {
                    let (members, _) = self.resolve_list(host, list);
                    if list.functions.is_empty() {
                        continue;
                    }
                    let place = list.place.clone().unwrap_or_else(|| pipeline.place.clone());
                    let node = graph.node(GraphNode {
                        kind: GraphNodeKind::HostList,
                        name: name.to_owned(),
                        detail,
                        place: Some(place),
                    });
                    for member in members {
                        let function = self.add_function(member, graph);
                        graph.edge(function, node);
                    }
                }
            }
        }
    }
}

/// A line of the tree that the graph is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphLine {
    pub node: usize,
    /// From 0.
    pub depth: usize,
    /// The node stands further up in the same branch, and is not gone into again.
    pub is_again: bool,
}

impl LinkGraph {
    /// The graph as a tree for each entry point, and the functions that none of them reaches, from depth 1 on.
    pub fn lines(&self) -> (Vec<GraphLine>, Vec<GraphLine>) {
        let mut shown = vec![false; self.nodes.len()];
        let (mut reached, mut rest) = (Vec::new(), Vec::new());
        for root in 0..self.nodes.len() {
            if self.nodes[root].kind == GraphNodeKind::Entry {
                self.add_lines(root, 0, &mut Vec::new(), &mut shown, &mut reached);
            }
        }
        let alone: Vec<usize> = (0..self.nodes.len())
            .filter(|&index| !shown[index] && self.nodes[index].kind == GraphNodeKind::Function)
            .collect();
        for root in alone {
            self.add_lines(root, 1, &mut Vec::new(), &mut shown, &mut rest);
        }
        (reached, rest)
    }

    fn add_lines(
        &self,
        node: usize,
        depth: usize,
        path: &mut Vec<usize>,
        shown: &mut [bool],
        lines: &mut Vec<GraphLine>,
    ) {
        let was_shown = std::mem::replace(&mut shown[node], true);
        let is_again = path.contains(&node);
        lines.push(GraphLine { node, depth, is_again });
        // What stands below a function was written where it came first.
        if is_again || depth > 24 || (was_shown && self.nodes[node].kind != GraphNodeKind::Function) {
            return;
        }
        path.push(node);
        for target in self.targets(node).collect::<Vec<_>>() {
            self.add_lines(target, depth + 1, path, shown, lines);
        }
        path.pop();
    }
}

/// The graph for people: a tree for each entry point, then the functions that none of them reaches. `place` spells a
/// place.
pub fn text(graph: &LinkGraph, place: &mut dyn FnMut(&Place) -> String) -> String {
    let (reached, rest) = graph.lines();
    let mut out = String::new();
    let mut write = |line: &GraphLine, out: &mut String| {
        let node = &graph.nodes[line.node];
        let at = node.place.as_ref().map_or(String::new(), |at| format!("  {}", place(at)));
        let detail = if node.detail.is_empty() { String::new() } else { format!("  {}", node.detail) };
        let mark = if line.is_again { "  (again)" } else { "" };
        out.push_str(&format!("{}{} {}{at}{detail}{mark}\n", "  ".repeat(line.depth), node.kind.as_str(), node.name));
    };
    reached.iter().for_each(|line| write(line, &mut out));
    if !rest.is_empty() {
        out.push_str("not reached\n");
    }
    rest.iter().for_each(|line| write(line, &mut out));
    out
}

/// The graph for Graphviz. `place` spells a place.
pub fn dot(graph: &LinkGraph, place: &mut dyn FnMut(&Place) -> String) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::from("digraph link {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let shape = match node.kind {
            GraphNodeKind::Entry => "box, style=bold",
            GraphNodeKind::Table => "component",
            GraphNodeKind::Pointer => "cds",
            GraphNodeKind::Group => "ellipse",
            GraphNodeKind::Function => "box",
            GraphNodeKind::HostList => "note",
        };
        let at = node.place.as_ref().map_or(String::new(), |at| format!("\\n{}", escape(&place(at))));
        let label = format!("{}{at}\\n{}", escape(&node.name), escape(&node.detail));
        out.push_str(&format!("  n{index} [shape={shape}, label=\"{label}\"];\n"));
    }
    for (from, to) in &graph.edges {
        out.push_str(&format!("  n{from} -> n{to};\n"));
    }
    out.push_str("}\n");
    out
}
