//! The page's module in two parts: what the first view runs, and the rest, which follows once the first view is there.
//!
//! `crates/web/first-view.txt` names the functions that ran until the first view was complete; `cargo xtask first-view`
//! records it. The first part has those functions, all data and all exports. The rest has the remaining functions and no
//! state of its own: it works on the memory, the globals and the function table of the first part, so that joining it twice
//! does no harm.
//!
//! Calls across the cut go through the function table. Until the rest has joined, its places in the table are taken by
//! functions of the first part that call the export [`NEED`], which joins the rest, and then make the call anew. A function
//! that the list wrongly leaves out thus costs time and never an answer.

mod plan;
mod recording;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context, Result};
use walrus::ir::{
    self, Call, CallIndirect, Const, Instr, InstrSeq, ReturnCall, ReturnCallIndirect, Value,
    VisitorMut,
};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    GlobalKind, LocalFunction, LocalId, Module, ModuleConfig, TableId, TypeId,
};

use plan::Plan;
pub use recording::{names, recording};

/// The export that joins the rest, without parameters or results.
const NEED: &str = "need_rest";
/// The name under which the rest imports what the first part exports.
const FIRST: &str = "first";

/// The two parts, as WebAssembly modules without names.
pub struct Parts {
    /// What the page starts with.
    pub first: Vec<u8>,
    /// What joins later.
    pub rest: Vec<u8>,
    /// What the first part imports has other names, which are shorter: each name that the module had, and the new one.
    pub renamed: Vec<(String, String)>,
}

/// Splits a module that still has the names of its functions; `first_view` holds the [`names`] of those in the first part.
///
/// # Errors
/// The module is no valid WebAssembly, has no function table, or no export [`NEED`].
pub fn split(module: &[u8], first_view: &BTreeSet<String>) -> Result<Parts> {
    let plan = Plan::new(&parse(module)?, first_view)?;
    let (rest, shared) = rest(parse(module)?, &plan);
    let mut first = first(parse(module)?, &plan, &shared)?;
    let renamed = shorten_imports(&mut first);
    Ok(Parts {
        first: first.emit_wasm(),
        rest,
        renamed,
    })
}

/// Parsing the same bytes gives every function the same index each time, by which the plan knows them.
fn parse(module: &[u8]) -> Result<Module> {
    ModuleConfig::new()
        .generate_name_section(false)
        .generate_producers_section(false)
        .parse(module)
        .context("the bound module is no WebAssembly that walrus can read")
}

/// The rest, and the names of what it imports of the first part.
fn rest(mut module: Module, plan: &Plan) -> (Vec<u8>, BTreeSet<String>) {
    call_through_table(&mut module, plan, |function| plan.is_first(function));
    module.start = None;
    for export in ids(module.exports.iter().map(walrus::Export::id)) {
        module.exports.delete(export);
    }
    for data in ids(module.data.iter().map(walrus::Data::id)) {
        module.data.delete(data);
    }
    for element in ids(module.elements.iter().map(walrus::Element::id)) {
        module.elements.delete(element);
    }
    import_state(&mut module, plan);
    for (offset, functions) in plan.runs_of_rest() {
        fill(&mut module, plan, offset, &functions);
    }
    walrus::passes::gc::run(&mut module);
    let imported = module.imports.iter().map(|import| import.name.clone());
    let imported = imported.collect();
    (module.emit_wasm(), imported)
}

/// Makes every memory, table and global one of the first part's.
fn import_state(module: &mut Module, plan: &Plan) {
    for id in ids(module.memories.iter().map(walrus::Memory::id)) {
        let name = state_name('m', id.index());
        let import = module.imports.add(FIRST, &name, id);
        let memory = module.memories.get_mut(id);
        memory.import = Some(import);
        memory.data_segments.clear();
    }
    for id in ids(module.tables.iter().map(walrus::Table::id)) {
        let name = state_name('t', id.index());
        let import = module.imports.add(FIRST, &name, id);
        let table = module.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    lengthen_table(module, plan);
    for id in ids(module.globals.iter().map(walrus::Global::id)) {
        let name = state_name('g', id.index());
        let import = module.imports.add(FIRST, &name, id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
}

/// The first part; `shared` names what the rest imports of it.
fn first(mut module: Module, plan: &Plan, shared: &BTreeSet<String>) -> Result<Module> {
    call_through_table(&mut module, plan, |function| !plan.is_first(function));
    let need = module.exports.get_func(NEED)?;
    for (index, slot) in plan.slots_of_rest() {
        let function = plan::function_at(&module, index);
        let table = plan.table(&module);
        let standing_in = stand_in(&mut module, function, need, table, slot);
        module.funcs.get_mut(function).kind = FunctionKind::Local(standing_in);
    }
    fill(&mut module, plan, plan.table_length(), plan.added());
    lengthen_table(&mut module, plan);
    export_state(&mut module, shared);
    walrus::passes::gc::run(&mut module);
    Ok(module)
}

/// Gives the imports short names. Those that wasm-bindgen makes end with a hash, which no compression makes any smaller.
fn shorten_imports(module: &mut Module) -> Vec<(String, String)> {
    let imports = module.imports.iter_mut().enumerate();
    let renamed = imports.map(|(number, import)| {
        let short = format!("i{number}");
        (std::mem::replace(&mut import.name, short.clone()), short)
    });
    renamed.collect()
}

/// Exports those memories, tables and globals that are `shared`.
fn export_state(module: &mut Module, shared: &BTreeSet<String>) {
    let memories = module.memories.iter().map(walrus::Memory::id);
    let tables = module.tables.iter().map(walrus::Table::id);
    let globals = module.globals.iter().map(walrus::Global::id);
    let state: Vec<(String, ExportItem)> = memories
        .map(|id| (state_name('m', id.index()), id.into()))
        .chain(tables.map(|id| (state_name('t', id.index()), id.into())))
        .chain(globals.map(|id| (state_name('g', id.index()), id.into())))
        .collect();
    for (name, item) in state.into_iter().filter(|(name, _)| shared.contains(name)) {
        module.exports.add(&name, item);
    }
}

fn state_name(kind: char, index: usize) -> String {
    format!("{kind}{index}")
}

/// Adds the places that the plan has added to the function table.
fn lengthen_table(module: &mut Module, plan: &Plan) {
    let id = plan.table(module);
    let table = module.tables.get_mut(id);
    let added = plan.added().len() as u64;
    table.initial += added;
    table.maximum = table.maximum.map(|most| most + added);
}

/// Puts functions into the table, the first of them at `offset`.
fn fill(module: &mut Module, plan: &Plan, offset: u32, functions: &[usize]) {
    if functions.is_empty() {
        return;
    }
    let table = plan.table(module);
    let functions = functions
        .iter()
        .map(|&index| plan::function_at(module, index))
        .collect();
    let kind = ElementKind::Active {
        table,
        offset: ConstExpr::Value(Value::I32(offset.cast_signed())),
    };
    let element = module
        .elements
        .add(kind, ElementItems::Functions(functions));
    module.tables.get_mut(table).elem_segments.insert(element);
}

/// What takes the place of a function of the rest until that has joined: it joins it, and calls what then is in the place.
fn stand_in(
    module: &mut Module,
    function: FunctionId,
    need: FunctionId,
    table: TableId,
    slot: u32,
) -> LocalFunction {
    let ty = module.funcs.get(function).ty();
    let of = module.types.get(ty);
    let (params, results) = (of.params().to_vec(), of.results().to_vec());
    let args: Vec<LocalId> = params.iter().map(|&one| module.locals.add(one)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    body.call(need);
    for &arg in &args {
        body.local_get(arg);
    }
    body.i32_const(slot.cast_signed()).call_indirect(ty, table);
    builder.local_func(args)
}

/// Turns calls of functions that are in the `other` part into calls of whatever is in their place in the table.
fn call_through_table(module: &mut Module, plan: &Plan, other: impl Fn(usize) -> bool) {
    let types: HashMap<FunctionId, TypeId> = module
        .funcs
        .iter()
        .map(|function| (function.id(), function.ty()))
        .collect();
    let mut calls = Calls {
        slot: |function: FunctionId| {
            let other = other(function.index());
            other.then(|| (plan.slot(function.index()), types[&function]))
        },
        table: plan.table(module),
    };
    for (id, function) in module.funcs.iter_local_mut() {
        // What is in the other part is not called from here, and goes.
        if !other(id.index()) {
            let entry = function.entry_block();
            ir::dfs_pre_order_mut(&mut calls, function, entry);
        }
    }
}

struct Calls<S> {
    /// The place in the table and the type of a function of the other part.
    slot: S,
    table: TableId,
}

impl<S: Fn(FunctionId) -> Option<(u32, TypeId)>> VisitorMut for Calls<S> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let before = std::mem::take(&mut sequence.instrs);
        for (instruction, at) in before {
            let (func, tail) = match instruction {
                Instr::Call(Call { func }) => (func, false),
                Instr::ReturnCall(ReturnCall { func }) => (func, true),
                other => {
                    sequence.instrs.push((other, at));
                    continue;
                }
            };
            let Some((slot, ty)) = (self.slot)(func) else {
                sequence.instrs.push((instruction, at));
                continue;
            };
            let value = Value::I32(slot.cast_signed());
            let table = self.table;
            let through: Instr = if tail {
                ReturnCallIndirect { ty, table }.into()
            } else {
                CallIndirect { ty, table }.into()
            };
            sequence.instrs.push((Const { value }.into(), at));
            sequence.instrs.push((through, at));
        }
    }
}

/// So that what they name can be changed.
fn ids<T>(ids: impl Iterator<Item = T>) -> Vec<T> {
    ids.collect()
}
