//! What can happen on the page: everything that it answers, whether a reader, a worker or the browser asks for it.

use web_sys::File;

use super::pointers::{Phase, Zoom};
use super::readings::{Ask, Picture};
use super::views::Layout;

/// What can happen on the page.
pub enum Action {
    /// The window is about to be drawn.
    Frame,
    /// A parameter was typed or chosen.
    Typed {
        id: String,
        text: String,
    },
    /// A field was left.
    Left,
    /// A slider was moved to a place.
    Slid {
        id: String,
        place: u32,
    },
    /// A slider is to move by one value.
    Nudged {
        id: String,
        up: bool,
    },
    /// One parameter back to its preset's value.
    BackToPreset(String),
    /// Some of them.
    GroupBackToPreset(Vec<String>),
    /// A preset was chosen.
    Preset(String),
    /// A seed was typed.
    Seed(String),
    /// A fresh seed.
    Dice,
    RunOrPause,
    Step,
    Reset,
    /// The slider of time was moved to a place.
    Scrub(u64),
    /// It is to move by that many hundredths.
    ScrubBy(i64),
    /// One reply less.
    StepBack,
    /// The speed slider was moved to a place.
    Speed(usize),
    Layout(Layout),
    /// The title of a view was pressed: that view alone, or back.
    Alone(String),
    NextTheme,
    /// Colours, sizes or what is open may have changed.
    Look,
    /// The browser has dropped what is drawn, or gives the canvases back.
    Pictures {
        lost: bool,
    },
    /// The page is about to be printed, or has been.
    Print {
        begins: bool,
    },
    /// Canvases and boxes have another size: which, and how high each is inside.
    Resized(Vec<(String, f64)>),
    /// A box was scrolled.
    Scrolled(String),
    /// A `<details>` was opened or closed.
    Opened,
    Drawer,
    CloseDrawer,
    /// The large histograms of the next TMMs, or of those before.
    TurnPage(bool),
    /// Keep this run as A, or stop comparing.
    Compare,
    /// A value of a picture is asked for.
    Read(Picture, Ask),
    /// No value is to be shown: the pointer has left the pictures, or keys say so.
    ReadNothing {
        keys: bool,
    },
    /// A pointer on a picture.
    Point {
        picture: Picture,
        phase: Phase,
        id: i32,
        at: (f64, f64),
        finger: bool,
    },
    /// The strip of a TMM further down, or up.
    OtherStrip(isize),
    /// Another stretch of a picture's axis.
    Zoom(Picture, Zoom),
    /// All of the axis of a view.
    Unzoom(String),
    /// Something of a view is to be left out, or put back: its number.
    Toggle(String, u8),
    /// The values of a view are to be spaced in the other way.
    TurnScale(String),
    /// The legend of a view is to be opened, or closed.
    Legend(String),
    /// A chart as a file, by the name of its view.
    SavePicture(String),
    /// A table as a file, by the name of its view.
    SaveTable(String),
    /// A chart as a picture in pixels, by the name of its view.
    SaveImage(String),
    /// A table to the clipboard, by the name of its view.
    CopyTable(String),
    /// The dialog of what can be saved and opened.
    Files,
    /// The text of a field to the clipboard.
    CopyText(String),
    SaveRun,
    CopyRun,
    SaveLog,
    /// The text in the dialog is to be opened.
    OpenTyped,
    OpenText(String),
    OpenFile(File),
    /// The state of the last visit.
    BackToLast,
    /// A number of seeds was typed.
    Seeds(String),
    ComparePublished,
    /// The list of lessons.
    Lessons,
    /// A step of a lesson, by its name in a link.
    OpenStep(String),
    TurnStep(bool),
    RunStep,
    RevealAnswer,
    CloseLesson,
    /// Whether answers wait for a key.
    Instructor(bool),
    /// The validated session, step by step.
    RunSession,
    /// A report of it to the clipboard, by the id of its place.
    CopyReport(String),
    Sweep,
    SweepParameter,
    SweepMeasure,
    /// A worker of the crew answers.
    Answered(usize, Vec<u8>),
    /// A worker of the crew broke.
    HandBroke(usize, String),
    Undo,
    Redo,
    /// A name to find the owner of.
    NameTyped(String),
    RevealOwner,
    /// That name is to be probed.
    ProbeName,
    /// Whether the owners of all tried names are shown.
    RevealOwners(bool),
    /// The tries of one TMM.
    ShowTries(usize),
    Help,
    Honesty,
    Share,
    FilterLog(String),
    HoldLog,
    CopyLog,
    /// The address was changed, by us or by the reader.
    AddressChanged,
    /// The address may be written now.
    AddressDue,
    /// The worker broke and is to be started anew.
    Restart,
    /// The worker reports.
    Report(Vec<u8>),
    /// The worker broke.
    WorkerFailed(String),
}
