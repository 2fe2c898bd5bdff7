//! Plain data that several pages share.

/// Who looks at a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Viewer {
    /// The name of the token, if one was shown.
    pub name: Option<String>,
    /// The secret that every form must send back. Only who has logged in has one, and only they see
    /// buttons that change anything.
    pub form_key: Option<String>,
    /// Whether one can log in: not with a token in a header.
    pub may_log_in: bool,
}

/// One position of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The move that led here.
    pub text: String,
    /// The position as SVG.
    pub svg: String,
}

/// What can be drawn of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What the picture or the line shows.
    pub title: String,
    /// The question that the line answers, in full.
    pub about: String,
    /// A picture of the whole answer, as SVG.
    pub still: Option<String>,
    /// A line, from its first position on.
    pub frames: Vec<Frame>,
    /// Why there is less to see than one could expect.
    pub note: String,
}
