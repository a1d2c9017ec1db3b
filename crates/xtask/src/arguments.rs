use lexopt::prelude::*;

use crate::bench;

/// What `cargo xtask help` prints, and what follows the message when the arguments are wrong.
pub const HELP: &str = "\
Usage: cargo xtask <command>

  serve [--port P] [--open] [--watch]
         build the page and serve it on 127.0.0.1 (port 8080, or the next free one);
         --open shows it in the browser, --watch builds again when crates/ or www/ change
  test [--all-browsers]
         format, lints, native tests, wasm tests and browser tests in Chromium; ends with `N passed, N failed`;
         --all-browsers: wasm tests also in Node, Firefox and WebKitGTK, the page also in both browsers
  dist [--single-file]
         make dist/: the page for any static host, under any path; or dist/subtable-lab.html alone:
         all of it in one file that needs no server
  build  build the page into the target folder's site/, without serving it
  bench [--native] [--browser [--minutes M]] [--peers] [--quick] [--readme]
         measure the native core (also when nothing is named), the page in installed browsers, other simulators;
         --minutes watches the page's memory, --quick stops at 10 million writes, --readme puts the table there
  first-view
         record which functions the first view runs: they come first, the rest of the module follows
  help   print this";

/// The port `serve` begins at.
pub const DEFAULT_PORT: u16 = 8080;

/// One command of `cargo xtask`.
#[derive(Debug, PartialEq)]
pub enum Task {
    /// Build the page into `target/site`.
    Build,
    /// Build the page and serve it.
    Serve(ServeOptions),
    /// Make `dist/`.
    Dist {
        /// The page in one file instead.
        single_file: bool,
    },
    /// Run every check and test.
    Test {
        /// In Node, Firefox and `WebKitGTK` too.
        all_browsers: bool,
    },
    /// Measure.
    Bench(bench::Options),
    /// Record what the first view runs.
    FirstView,
    /// Print the help.
    Help,
}

/// How `serve` serves.
#[derive(Debug, PartialEq)]
pub struct ServeOptions {
    /// The first port to try.
    pub port: u16,
    /// Show the page in the user's browser.
    pub open: bool,
    /// Build again when a source changes.
    pub watch: bool,
}

/// Reads the command line.
///
/// # Errors
/// No command, an unknown command or option, or a value that is no port.
pub fn parse(mut parser: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let mut task = match parser.next()? {
        Some(Value(name)) => match name.string()?.as_str() {
            "build" => Task::Build,
            "serve" => Task::Serve(ServeOptions {
                port: DEFAULT_PORT,
                open: false,
                watch: false,
            }),
            "dist" => Task::Dist { single_file: false },
            "test" => Task::Test {
                all_browsers: false,
            },
            "bench" => Task::Bench(bench::Options::default()),
            "first-view" => Task::FirstView,
            "help" => Task::Help,
            other => return Err(format!("there is no command `{other}`").into()),
        },
        Some(Short('h') | Long("help")) => Task::Help,
        Some(argument) => return Err(argument.unexpected()),
        None => return Err("a command is missing".into()),
    };
    while let Some(argument) = parser.next()? {
        match (argument, &mut task) {
            (Long("port"), Task::Serve(options)) => options.port = parser.value()?.parse()?,
            (Long("open"), Task::Serve(options)) => options.open = true,
            (Long("watch"), Task::Serve(options)) => options.watch = true,
            (Long("single-file"), Task::Dist { single_file }) => *single_file = true,
            (Long("all-browsers"), Task::Test { all_browsers }) => *all_browsers = true,
            (Long("minutes"), Task::Bench(options)) => options.minutes = parser.value()?.parse()?,
            (Long(name), Task::Bench(options)) => match name {
                "native" => options.native = true,
                "browser" => options.browser = true,
                "peers" => options.peers = true,
                "quick" => options.quick = true,
                "readme" => options.readme = true,
                "help" => task = Task::Help,
                _ => return Err(format!("bench takes no option `--{name}`").into()),
            },
            (Short('h') | Long("help"), _) => task = Task::Help,
            (argument, _) => return Err(argument.unexpected()),
        }
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(lexopt::Parser::from_args(line.split_whitespace())).map_err(|error| error.to_string())
    }

    #[test]
    fn serve_takes_its_options_in_any_order() {
        let all = ServeOptions {
            port: 9000,
            open: true,
            watch: true,
        };
        assert_eq!(
            parsed("serve --watch --port 9000 --open"),
            Ok(Task::Serve(all))
        );
        let none = ServeOptions {
            port: DEFAULT_PORT,
            open: false,
            watch: false,
        };
        assert_eq!(parsed("serve"), Ok(Task::Serve(none)));
    }

    #[test]
    fn the_page_is_made_as_files_or_as_one() {
        assert_eq!(parsed("dist"), Ok(Task::Dist { single_file: false }));
        assert_eq!(
            parsed("dist --single-file"),
            Ok(Task::Dist { single_file: true })
        );
    }

    #[test]
    fn tests_run_in_chromium_or_in_all() {
        for (line, all_browsers) in [("test", false), ("test --all-browsers", true)] {
            assert_eq!(parsed(line), Ok(Task::Test { all_browsers }), "{line}");
        }
    }

    #[test]
    fn what_is_measured_is_named_or_not() {
        assert_eq!(parsed("bench"), Ok(Task::Bench(bench::Options::default())));
        let options = bench::Options {
            browser: true,
            minutes: 10,
            readme: true,
            ..bench::Options::default()
        };
        assert_eq!(
            parsed("bench --browser --minutes 10 --readme"),
            Ok(Task::Bench(options))
        );
    }

    #[test]
    fn recording_the_first_view_takes_no_options() {
        assert_eq!(parsed("first-view"), Ok(Task::FirstView));
        assert!(parsed("first-view --quick").is_err());
    }

    #[test]
    fn help_is_given_wherever_it_is_asked_for() {
        for line in [
            "help",
            "--help",
            "-h",
            "serve --help",
            "dist -h",
            "bench --help",
        ] {
            assert_eq!(parsed(line), Ok(Task::Help), "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in [
            "",
            "run",
            "--open",
            "test --skip-browser",
            "dist --watch",
            "dist --all-browsers",
            "serve --single-file",
            "serve --port",
            "serve --port 70000",
            "build extra",
            "bench --open",
            "bench --minutes soon",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
