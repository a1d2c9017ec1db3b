use wasmi::{Caller, Engine, Extern, Func, Instance, Linker, Module, Store};

use super::*;

/// A module as wasm-bindgen leaves it, in small: `start` runs in the first view, `twice` and `third` do not; `twice` is called
/// directly, `third` through the table, and both use what the first part has.
const WHOLE: &str = r#"
(module
  (import "page" "join" (func $join))
  (type $of_one (func (param i32) (result i32)))
  (memory (export "memory") 1)
  (global $calls (mut i32) (i32.const 0))
  (table 3 3 funcref)
  (elem (i32.const 1) $third $start)
  (data (i32.const 16) "\07")
  (func $need (export "need_rest") call $join)
  (func $start (param i32) (result i32) (i32.mul (local.get 0) (i32.const 10)))
  (func $twice (param i32) (result i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (i32.store8 (i32.const 17) (i32.add (i32.load8_u (i32.const 16)) (local.get 0)))
    (i32.mul (call $start (local.get 0)) (i32.const 2)))
  (func $third (param i32) (result i32)
    (call $twice (i32.sub (i32.sub (i32.mul (i32.add (local.get 0) (i32.const 0)) (i32.const 3)) (i32.const 1)) (i32.const -1))))
  (func (export "begin") (param i32) (result i32) (call $start (local.get 0)))
  (func (export "direct") (param i32) (result i32)
    (block (result i32) (call $twice (local.get 0))))
  (func (export "through_table") (param i32) (result i32)
    (call_indirect (type $of_one) (local.get 0) (i32.const 1)))
  (func (export "calls") (result i32) (global.get $calls))
  (func (export "stored") (result i32) (i32.load8_u (i32.const 17))))
"#;

fn whole() -> Vec<u8> {
    wat::parse_str(WHOLE).expect("the text is a module")
}

fn parts() -> Parts {
    split(&whole(), &BTreeSet::from(["start".to_owned()])).expect("the module can be split")
}

/// The first part, run; the data count how often the rest has been asked for.
struct Page {
    store: Store<u32>,
    first: Instance,
}

impl Page {
    fn open(parts: &Parts) -> Self {
        let engine = Engine::default();
        let mut store = Store::new(&engine, 0);
        let rest = Module::new(&engine, &parts.rest).expect("the rest is a module");
        let first = Module::new(&engine, &parts.first).expect("the first part is a module");
        let mut linker = Linker::new(&engine);
        let join = Func::wrap(&mut store, move |mut caller: Caller<u32>| {
            *caller.data_mut() += 1;
            let mut linker = Linker::new(caller.engine());
            for import in rest.imports() {
                let found = caller.get_export(import.name());
                let found: Extern = found.expect("the first part exports what the rest imports");
                linker
                    .define(import.module(), import.name(), found)
                    .expect("each name is defined once");
            }
            linker
                .instantiate_and_start(&mut caller, &rest)
                .expect("the rest joins");
        });
        linker
            .define("page", &parts.renamed[0].1, join)
            .expect("the name is defined once");
        let first = linker
            .instantiate_and_start(&mut store, &first)
            .expect("the first part starts by itself");
        Self { store, first }
    }

    fn call(&mut self, name: &str, arguments: Option<i32>) -> i32 {
        let function = self.first.get_func(&self.store, name);
        let function = function.unwrap_or_else(|| panic!("there is an export {name}"));
        let arguments: Vec<wasmi::Val> = arguments.into_iter().map(Into::into).collect();
        let mut result = [wasmi::Val::I32(0)];
        function
            .call(&mut self.store, &arguments, &mut result)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        result[0].i32().expect("the result is an i32")
    }

    fn asked(&self) -> u32 {
        *self.store.data()
    }
}

#[test]
fn what_the_first_view_runs_needs_no_rest() {
    let mut page = Page::open(&parts());
    assert_eq!(page.call("begin", Some(4)), 40);
    assert_eq!(page.asked(), 0);
}

#[test]
fn the_rest_joins_at_the_first_call_that_needs_it_and_only_then() {
    for (export, expected) in [("direct", 80), ("through_table", 240)] {
        let mut page = Page::open(&parts());
        for _ in 0..3 {
            assert_eq!(page.call(export, Some(4)), expected, "{export}");
        }
        assert_eq!(page.asked(), 1, "{export}");
    }
}

#[test]
fn both_parts_work_on_the_same_state() {
    let mut page = Page::open(&parts());
    page.call("direct", Some(4));
    page.call("through_table", Some(1));
    assert_eq!(page.call("calls", None), 2);
    assert_eq!(page.call("stored", None), 7 + 3);
}

#[test]
fn what_has_run_is_recorded_by_name() -> Result<()> {
    let engine = Engine::default();
    let module = Module::new(&engine, recording(&whole())?)?;
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    linker.func_wrap("page", "join", || ())?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let begin = instance.get_typed_func::<i32, i32>(&store, "begin")?;
    begin.call(&mut store, 1)?;
    let ran = instance.get_memory(&store, "ran").context("no memory")?;
    let ran: Vec<String> = names(&whole())?
        .into_iter()
        .zip(ran.data(&store))
        .filter(|(name, ran)| **ran == 1 && !name.is_empty())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(ran, ["start"]);
    Ok(())
}

#[test]
fn imports_get_short_names_and_these_are_told() {
    let parts = parts();
    assert_eq!(parts.renamed, [("join".to_owned(), "i0".to_owned())]);
    let module = Module::new(&Engine::default(), &parts.first).expect("a module");
    let names: Vec<&str> = module.imports().map(|import| import.name()).collect();
    assert_eq!(names, ["i0"]);
}

#[test]
fn neither_part_keeps_what_the_other_has() {
    let Parts { first, rest, .. } = parts();
    let has = |part: &[u8], constant: &[u8]| part.windows(constant.len()).any(|at| at == constant);
    // `i32.const 3; i32.mul` is in `third` alone, `i32.const 10; i32.mul` in `start` alone.
    let (third, start) = ([0x41, 3, 0x6c], [0x41, 10, 0x6c]);
    assert!(!has(&first, &third) && has(&rest, &third));
    assert!(has(&first, &start) && !has(&rest, &start));
}

#[test]
fn a_module_without_the_export_is_refused_by_name() {
    let module = wat::parse_str(WHOLE.replace("need_rest", "other")).expect("a module");
    let error = split(&module, &BTreeSet::new())
        .err()
        .expect("it has no way to join");
    assert!(format!("{error:#}").contains(NEED), "{error:#}");
}

#[test]
fn what_is_no_module_is_refused() {
    assert!(split(b"no module", &BTreeSet::new()).is_err());
    assert!(names(b"no module").is_err());
    assert!(recording(b"no module").is_err());
}
