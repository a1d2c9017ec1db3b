use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use walrus::ir::{self, Call, RefFunc, ReturnCall, Value, Visitor};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind, Module, TableId,
};

use super::recording::name;

/// Functions of the rest that are no longer than this, in instructions, stay in the first part: a stand-in for them would be
/// as long.
const SHORT: u64 = 8;

/// Which functions go where, by the index that parsing gives them, and their places in the function table.
pub struct Plan {
    first: BTreeSet<usize>,
    /// The index of the function table.
    table: usize,
    /// Its length before.
    length: u32,
    /// Functions that get a place in the table, in the order of their places, which follow `length`.
    added: Vec<usize>,
    /// The place of each function that has one; the first, if it has several.
    slots: BTreeMap<usize, u32>,
    /// All places that functions of the rest have.
    rest: BTreeMap<u32, usize>,
}

impl Plan {
    /// # Errors
    /// The module has no function table, or one that is not filled as LLVM fills it.
    pub fn new(module: &Module, first_view: &BTreeSet<String>) -> Result<Self> {
        let table = module
            .tables
            .main_function_table()?
            .context("the module has no function table")?;
        let places = places(module, table)?;
        let first = first(module, first_view);
        let length = u32::try_from(module.tables.get(table).initial)?;
        let mut slots = BTreeMap::new();
        for (&slot, &function) in &places {
            slots.entry(function).or_insert(slot);
        }
        let mut added = Vec::new();
        for function in called_across(module, &first)? {
            if let Entry::Vacant(slot) = slots.entry(function) {
                slot.insert(length + u32::try_from(added.len())?);
                added.push(function);
            }
        }
        let mut rest = places;
        rest.extend((length..).zip(added.iter().copied()));
        rest.retain(|_, function| !first.contains(function));
        Ok(Self {
            first,
            table: table.index(),
            length,
            added,
            slots,
            rest,
        })
    }

    /// Whether a function is in the first part.
    pub fn is_first(&self, function: usize) -> bool {
        self.first.contains(&function)
    }

    /// The function table, of the same module or one that was parsed from the same bytes.
    pub fn table(&self, module: &Module) -> TableId {
        let mut ids = module.tables.iter().map(walrus::Table::id);
        ids.find(|id| id.index() == self.table)
            .expect("the same bytes have the same tables")
    }

    /// The length of the function table before.
    pub fn table_length(&self) -> u32 {
        self.length
    }

    /// Functions of both parts that get a place after the end of the table, in this order.
    pub fn added(&self) -> &[usize] {
        &self.added
    }

    /// The place of a function that is called across the cut.
    pub fn slot(&self, function: usize) -> u32 {
        self.slots[&function]
    }

    /// The functions of the rest that have a place, with it.
    pub fn slots_of_rest(&self) -> impl Iterator<Item = (usize, u32)> {
        let slots = self.slots.iter().map(|(&function, &slot)| (function, slot));
        slots.filter(|(function, _)| !self.is_first(*function))
    }

    /// All functions of the rest in the table, as runs of places that follow each other, with the first place of each.
    pub fn runs_of_rest(&self) -> Vec<(u32, Vec<usize>)> {
        let mut runs: Vec<(u32, Vec<usize>)> = Vec::new();
        for (&slot, &function) in &self.rest {
            match runs.last_mut() {
                Some((first, run)) if *first as usize + run.len() == slot as usize => {
                    run.push(function);
                }
                _ => runs.push((slot, vec![function])),
            }
        }
        runs
    }
}

/// The function that parsing has given this index.
pub fn function_at(module: &Module, index: usize) -> FunctionId {
    let mut ids = module.funcs.iter().map(walrus::Function::id);
    ids.find(|id| id.index() == index)
        .expect("the same bytes have the same functions")
}

/// Imports, what is exported, what the first view runs, and what is short.
fn first(module: &Module, first_view: &BTreeSet<String>) -> BTreeSet<usize> {
    let exported = module
        .exports
        .iter()
        .filter_map(|export| match export.item {
            ExportItem::Function(function) => Some(function),
            _ => None,
        });
    let mut first: BTreeSet<usize> = exported
        .chain(module.start)
        .map(|function| function.index())
        .collect();
    for function in module.funcs.iter() {
        let is_first = match &function.kind {
            FunctionKind::Local(local) => {
                local.size() <= SHORT || name(function).is_some_and(|it| first_view.contains(&it))
            }
            FunctionKind::Import(_) | FunctionKind::Uninitialized(_) => true,
        };
        if is_first {
            first.insert(function.id().index());
        }
    }
    first
}

/// The functions in the table, by their places.
fn places(module: &Module, table: TableId) -> Result<BTreeMap<u32, usize>> {
    let mut places = BTreeMap::new();
    for element in module.elements.iter() {
        let ElementKind::Active { table: of, offset } = &element.kind else {
            continue;
        };
        if *of != table {
            continue;
        }
        let (ConstExpr::Value(Value::I32(offset)), ElementItems::Functions(functions)) =
            (offset, &element.items)
        else {
            bail!("the function table is filled in a way that cannot be split");
        };
        places.extend((offset.cast_unsigned()..).zip(functions.iter().map(FunctionId::index)));
    }
    Ok(places)
}

/// Functions that the other part calls.
fn called_across(module: &Module, first: &BTreeSet<usize>) -> Result<BTreeSet<usize>> {
    let mut calls = Calls::default();
    let mut across = BTreeSet::new();
    for (id, function) in module.funcs.iter_local() {
        calls.called.clear();
        ir::dfs_in_order(&mut calls, function, function.entry_block());
        let from_first = first.contains(&id.index());
        let others = calls.called.iter().map(FunctionId::index);
        across.extend(others.filter(|called| first.contains(called) != from_first));
    }
    if calls.refers {
        bail!("the module takes references to functions, which the table does not hold");
    }
    Ok(across)
}

#[derive(Default)]
struct Calls {
    called: Vec<FunctionId>,
    refers: bool,
}

impl Visitor<'_> for Calls {
    fn visit_call(&mut self, call: &Call) {
        self.called.push(call.func);
    }

    fn visit_return_call(&mut self, call: &ReturnCall) {
        self.called.push(call.func);
    }

    fn visit_ref_func(&mut self, _: &RefFunc) {
        self.refers = true;
    }
}
