//! Call hierarchy.

use msl_diagnostics::Place;
use msl_ide::{Call, HierarchyItem, PointerCall};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
        CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range, SymbolKind,
    },
};

use super::references::everywhere;
use crate::lsp::{
    snapshot::{Anywhere, Snapshot},
    to_proto,
};

pub(crate) fn prepare(
    snapshot: &Snapshot,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    let found = snapshot.analysis.call_hierarchy_item(&at.unit, &at.path, at.offset);
    Ok(found.and_then(|found| item(snapshot, &found)).map(|item| vec![item]))
}

pub(crate) fn incoming(
    snapshot: &Snapshot,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some(at) = snapshot.anywhere(&params.item.uri, params.item.selection_range.start)? else { return Ok(None) };
    let mut calls: Vec<Call> = Vec::new();
    everywhere(snapshot, &at, |unit, place, _| {
        for call in snapshot.analysis.incoming_calls(unit, &place.path, place.range.start) {
            match calls.iter_mut().find(|other| other.item.place == call.item.place) {
                Some(known) => known.sites.extend(call.sites),
                None => calls.push(call),
            }
        }
        Ok(())
    })?;
    let calls = calls.into_iter().filter_map(|mut call| {
        call.sites.sort();
        call.sites.dedup();
        Some(CallHierarchyIncomingCall {
            from: item(snapshot, &call.item)?,
            from_ranges: ranges(snapshot, &call.sites),
        })
    });
    let mut calls: Vec<CallHierarchyIncomingCall> = calls.collect();
    if let Some(place) = name_place(snapshot, &at) {
        calls.extend(snapshot.links.program.incoming_through_pointers(&place).iter().filter_map(|call| {
            Some(CallHierarchyIncomingCall {
                from: pointer_item(snapshot, call)?,
                from_ranges: ranges(snapshot, &call.sites),
            })
        }));
    }
    Ok(Some(calls))
}

pub(crate) fn outgoing(
    snapshot: &Snapshot,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some(at) = snapshot.anywhere(&params.item.uri, params.item.selection_range.start)? else { return Ok(None) };
    let calls = snapshot.analysis.outgoing_calls(&at.unit, &at.path, at.offset).into_iter().filter_map(|call| {
        Some(CallHierarchyOutgoingCall { to: item(snapshot, &call.item)?, from_ranges: ranges(snapshot, &call.sites) })
    });
    let mut calls: Vec<CallHierarchyOutgoingCall> = calls.collect();
    if let Some(place) = name_place(snapshot, &at) {
        calls.extend(snapshot.links.program.outgoing_through_pointers(&place).iter().filter_map(|call| {
            Some(CallHierarchyOutgoingCall {
                to: pointer_item(snapshot, call)?,
                from_ranges: ranges(snapshot, &call.sites),
            })
        }));
    }
    Ok(Some(calls))
}

/// The name of the function that a request is about, where it is declared.
fn name_place(snapshot: &Snapshot, at: &Anywhere) -> Option<Place> {
    Some(snapshot.analysis.call_hierarchy_item(&at.unit, &at.path, at.offset)?.place)
}

/// A function at the other end of calls through pointers.
fn pointer_item(snapshot: &Snapshot, call: &PointerCall) -> Option<CallHierarchyItem> {
    let function = snapshot.links.program.functions.get(call.function)?;
    let range = snapshot.range(&function.place.path, function.place.range);
    Some(CallHierarchyItem {
        name: function.own_name.clone(),
        kind: SymbolKind::FUNCTION,
        tags: None,
        detail: Some(call.via.clone()),
        uri: snapshot.uri(&function.place.path)?,
        range,
        selection_range: range,
        data: None,
    })
}

fn item(snapshot: &Snapshot, item: &HierarchyItem) -> Option<CallHierarchyItem> {
    Some(CallHierarchyItem {
        name: item.name.clone(),
        kind: to_proto::symbol_kind(item.kind),
        tags: None,
        detail: Some(item.detail.clone()),
        uri: snapshot.uri(&item.place.path)?,
        range: snapshot.range(&item.place.path, item.full_range),
        selection_range: snapshot.range(&item.place.path, item.place.range),
        data: None,
    })
}

fn ranges(snapshot: &Snapshot, sites: &[Place]) -> Vec<Range> {
    sites.iter().map(|site| snapshot.range(&site.path, site.range)).collect()
}
