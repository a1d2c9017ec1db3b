/// How the page is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width of the page's window in CSS pixels.
    pub width: u32,
    /// Height of the page's window in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// The user's colour scheme.
    pub scheme: Scheme,
    /// The user wants things not to move.
    pub reduced_motion: bool,
}

impl Default for View {
    /// A small laptop: 1280 x 720, one device pixel each, light, motion allowed.
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            scale: 1.0,
            scheme: Scheme::Light,
            reduced_motion: false,
        }
    }
}

impl View {
    /// A small phone: 360 x 740 at three device pixels each.
    #[must_use]
    pub fn phone() -> Self {
        Self {
            width: 360,
            height: 740,
            scale: 3.0,
            ..Self::default()
        }
    }

    /// The same, in another colour scheme.
    #[must_use]
    pub fn in_scheme(self, scheme: Scheme) -> Self {
        Self { scheme, ..self }
    }

    /// The same, for a user who wants things not to move.
    #[must_use]
    pub fn still(self) -> Self {
        Self {
            reduced_motion: true,
            ..self
        }
    }
}

/// A colour scheme, as `prefers-color-scheme` tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Scheme {
    /// The value of `prefers-color-scheme`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
