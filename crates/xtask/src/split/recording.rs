use anyhow::{Context, Result};
use walrus::ir::{Const, Instr, InstrLocId, MemArg, Store, StoreKind, Value};
use walrus::{Function, Module, ModuleConfig};

/// The export of a [`recording`] module that holds what has run.
const RAN: &str = "ran";
/// Bytes in a page of WebAssembly's memory.
const PAGE: usize = 65536;

/// The same module, which records the functions that it runs: its export `ran` is a second memory, in which a function sets
/// the byte at its place in [`names`] to 1.
///
/// # Errors
/// The module is no valid WebAssembly.
pub fn recording(module: &[u8]) -> Result<Vec<u8>> {
    let mut module = parse(module)?;
    let count = module.funcs.iter_local().count();
    let pages = count.div_ceil(PAGE) as u64;
    let memory = module
        .memories
        .add_local(false, false, pages, Some(pages), None);
    module.exports.add(RAN, memory);
    for (place, (_, function)) in module.funcs.iter_local_mut().enumerate() {
        let place = i32::try_from(place).context("the module has too many functions")?;
        let set = [
            constant(place),
            constant(1),
            Store {
                memory,
                kind: StoreKind::I32_8 { atomic: false },
                arg: MemArg {
                    align: 1,
                    offset: 0,
                },
            }
            .into(),
        ];
        let entry = function.entry_block();
        let at = InstrLocId::default();
        let body = &mut function.block_mut(entry).instrs;
        body.splice(0..0, set.map(|instruction| (instruction, at)));
    }
    Ok(module.emit_wasm())
}

fn constant(value: i32) -> Instr {
    let value = Value::I32(value);
    Const { value }.into()
}

/// The names of the module's own functions, in the order of the module; empty where there is none.
///
/// # Errors
/// The module is no valid WebAssembly.
pub fn names(module: &[u8]) -> Result<Vec<String>> {
    let module = parse(module)?;
    let local = module
        .funcs
        .iter_local()
        .map(|(id, _)| name(module.funcs.get(id)).unwrap_or_default());
    Ok(local.collect())
}

/// A function's name as in the source: with generic arguments, and without the hashes that change from build to build.
pub fn name(function: &Function) -> Option<String> {
    let name = function.name.as_deref()?;
    Some(format!("{:#}", rustc_demangle::demangle(name)))
}

fn parse(module: &[u8]) -> Result<Module> {
    ModuleConfig::new()
        .parse(module)
        .context("the bound module is no WebAssembly that walrus can read")
}
