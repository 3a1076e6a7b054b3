//! The options of an engine: their declarations, such as
//! `option name Hash type spin default 16 min 1 max 262144`, and the interpretation of `setoption`.

use std::fmt;

use crate::command::SetOption;
use crate::error::ParseError;
use crate::number::number;
use crate::print::OneLine;
use crate::tokens::{Tokens, push_word, single_spaced};

/// The options of an engine in declaration order, with case-insensitive lookup by name.
///
/// ```
/// use koel_uci::{Command, OptionKind, OptionValue, Options};
///
/// let options = Options::new([
///     ("Hash", OptionKind::Spin { default: 16, min: 1, max: 262_144 }),
///     ("Clear Hash", OptionKind::Button),
/// ])?;
///
/// let Command::SetOption(set) = "setoption name hash value 64".parse()? else { panic!() };
/// match options.interpret(&set)? {
///     ("Hash", OptionValue::Spin(mebibytes)) => assert_eq!(mebibytes, 64),
///     ("Clear Hash", _) => {}
///     _ => {}
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    declarations: Vec<OptionDeclaration>,
}

/// The value of an option, of its declared type and within its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// An integer within its range.
    Spin(i64),
    /// One of the variants, in its declared spelling.
    Combo(String),
    /// A press of the button.
    Button,
    /// Any text; empty for `<empty>`.
    Text(String),
}

impl Options {
    /// Declares options by their names and types.
    ///
    /// # Errors
    /// The first invalid declaration (see [`OptionDeclaration::new`]) or duplicate name.
    pub fn new<N: AsRef<str>>(
        options: impl IntoIterator<Item = (N, OptionKind)>,
    ) -> Result<Options, ParseError> {
        let mut declared = Options::default();
        for (name, kind) in options {
            declared.add(OptionDeclaration::new(name.as_ref(), kind)?)?;
        }
        Ok(declared)
    }

    /// Adds an option, for a match runner that parses an engine's declarations.
    ///
    /// # Errors
    /// If there is an option with this name.
    pub fn add(&mut self, declaration: OptionDeclaration) -> Result<(), ParseError> {
        if self.get(&declaration.name).is_some() {
            return Err(ParseError::DuplicateOption(declaration.name));
        }
        self.declarations.push(declaration);
        Ok(())
    }

    /// Returns the option with this name (case-insensitive).
    pub fn get(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declarations.iter().find(|declared| declared.name.eq_ignore_ascii_case(name))
    }

    /// Returns all options, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionDeclaration> {
        self.declarations.iter()
    }

    /// Validates a `setoption` and returns the declared name of the option and its new value.
    ///
    /// # Errors
    /// If there is no such option, or the value is not allowed.
    pub fn interpret(&self, set: &SetOption) -> Result<(&str, OptionValue), ParseError> {
        let unknown = || ParseError::UnknownOption(set.name.clone());
        let declaration = self.get(&set.name).ok_or_else(unknown)?;
        Ok((&declaration.name, declaration.interpret(set.value.as_deref())?))
    }
}

/// The declaration of an option. It is always valid: the default is an allowed value, and the name
/// contains no reserved word of the protocol.
///
/// ```
/// use koel_uci::{OptionDeclaration, OptionKind};
///
/// let kind = OptionKind::Spin { default: 16, min: 1, max: 262_144 };
/// let hash = OptionDeclaration::new("Hash", kind)?;
/// assert_eq!(hash.to_string(), "option name Hash type spin default 16 min 1 max 262144");
/// assert!(OptionDeclaration::new("Reset to default", OptionKind::Button).is_err());
/// # Ok::<(), koel_uci::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    name: String,
    kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The default value.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The default value.
        default: i64,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The default value.
        default: String,
        /// All variants, in order.
        variants: Vec<String>,
    },
    /// A button: no value, but an action.
    Button,
    /// Any text; the protocol's `string`.
    Text {
        /// The default value. An empty one is printed as `<empty>`, because GUIs ignore an option
        /// without a default.
        default: String,
    },
}

/// The protocol's word for an empty text.
const EMPTY: &str = "<empty>";

/// The words that may not be part of a name. The protocol does not reserve `value`, but it ends the
/// name in `setoption name ... value`.
const RESERVED_IN_NAMES: &[&str] = &["name", "type", "default", "min", "max", "var", "value"];
const RESERVED_IN_VARIANTS: &[&str] = &["default", "var"];
const WHOLE_NUMBER: &str = "a whole number";
const TRUE_OR_FALSE: &str = "true or false";

impl OptionDeclaration {
    /// Creates a declaration. Runs of whitespace in names and variants become single spaces.
    ///
    /// # Errors
    /// If the name is empty or contains a reserved word, or if the default is not an allowed value.
    pub fn new(name: &str, kind: OptionKind) -> Result<OptionDeclaration, ParseError> {
        let name = without_words(name, RESERVED_IN_NAMES)?;
        if name.is_empty() {
            return Err(ParseError::NoName);
        }
        let kind = match kind {
            OptionKind::Combo { default, variants } => OptionKind::Combo {
                default: single_spaced(&default),
                variants: variants
                    .iter()
                    .map(|variant| without_words(variant, RESERVED_IN_VARIANTS))
                    .collect::<Result<_, _>>()?,
            },
            OptionKind::Text { default } => OptionKind::Text { default: plain(&default) },
            other => other,
        };
        let default = kind.default_text();
        let wrong = |expected| wrong(&name, Some("default"), expected, Some(&default));
        let value = kind.read(Some(&default)).map_err(wrong)?;
        Ok(match (kind, value) {
            (OptionKind::Combo { variants, .. }, OptionValue::Combo(default)) => {
                OptionDeclaration { name, kind: OptionKind::Combo { default, variants } }
            }
            (kind, _) => OptionDeclaration { name, kind },
        })
    }

    /// Returns the declared name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type with its limits and default.
    pub fn kind(&self) -> &OptionKind {
        &self.kind
    }

    /// Parses the words after `option`.
    pub(crate) fn parse(mut tokens: Tokens<'_>) -> Result<OptionDeclaration, ParseError> {
        let has_name = tokens.next() == Some("name");
        let (name, _) = tokens.phrase_until("type");
        if !has_name || name.is_empty() {
            return Err(ParseError::NoName);
        }
        OptionDeclaration::new(&name, OptionKind::parse(&name, tokens)?)
    }

    /// Parses a text as a value of the option.
    ///
    /// The value of a button is ignored: some GUIs send an empty value, some none. A string option
    /// without a value is empty. A number out of range is an error and is not clamped, so that the
    /// user learns of it; a GUI that respects the declaration never sends one.
    ///
    /// # Errors
    /// If the value is not allowed.
    pub fn interpret(&self, value: Option<&str>) -> Result<OptionValue, ParseError> {
        let found = value.map(str::trim_ascii);
        self.kind.read(value).map_err(|expected| wrong(&self.name, None, expected, found))
    }
}

fn wrong(
    name: &str,
    field: Option<&'static str>,
    expected: String,
    found: Option<&str>,
) -> ParseError {
    let found = found.filter(|found| !found.is_empty()).map(str::to_owned);
    ParseError::Option { name: name.to_owned(), field, expected, found }
}

fn without_words(text: &str, words: &[&'static str]) -> Result<String, ParseError> {
    let text = single_spaced(text);
    match words.iter().find(|&&word| text.split(' ').any(|part| part == word)) {
        Some(word) => Err(ParseError::ReservedWord { text, word }),
        None => Ok(text),
    }
}

impl OptionKind {
    /// Returns the default as text; it is empty for a button.
    pub fn default_text(&self) -> String {
        match self {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// Reads a value. The error is what is expected.
    fn read(&self, text: Option<&str>) -> Result<OptionValue, String> {
        let text = text.map(str::trim_ascii);
        Ok(match self {
            OptionKind::Check { .. } => {
                OptionValue::Check(text.and_then(true_or_false).ok_or(TRUE_OR_FALSE)?)
            }
            &OptionKind::Spin { min, max, .. } => {
                let number = text.and_then(number).filter(|number| (min..=max).contains(number));
                let expected = || format!("{WHOLE_NUMBER} from {min} to {max}");
                OptionValue::Spin(number.ok_or_else(expected)?)
            }
            OptionKind::Combo { variants, .. } => {
                let is_given =
                    |variant: &&String| text.is_some_and(|text| variant.eq_ignore_ascii_case(text));
                let variant = variants.iter().find(is_given);
                let expected = || format!("one of {}", variants.join(", "));
                OptionValue::Combo(variant.ok_or_else(expected)?.clone())
            }
            OptionKind::Button => OptionValue::Button,
            OptionKind::Text { .. } => OptionValue::Text(plain(text.unwrap_or_default())),
        })
    }

    /// Parses the words after `type` in the declaration of the option with this name.
    fn parse(name: &str, mut tokens: Tokens<'_>) -> Result<OptionKind, ParseError> {
        let kind = tokens.next();
        if kind == Some("string") {
            tokens.accept(|word| (word == "default").then_some(()));
            return Ok(OptionKind::Text { default: tokens.text() });
        }
        let names = if kind == Some("combo") { RESERVED_IN_VARIANTS } else { RESERVED_IN_NAMES };
        let fields = fields(tokens, names);
        let all = |field| fields.iter().filter(move |(name, _)| *name == field);
        let first = |field| all(field).next().map(|(_, text)| text.as_str());
        let wrong =
            |field, expected: &str, found| wrong(name, Some(field), expected.to_owned(), found);
        let integer = |field| {
            let text = first(field);
            text.and_then(number).ok_or_else(|| wrong(field, WHOLE_NUMBER, text))
        };
        Ok(match kind {
            Some("button") => OptionKind::Button,
            Some("check") => {
                let text = first("default").unwrap_or("false");
                let wrong = || wrong("default", TRUE_OR_FALSE, Some(text));
                OptionKind::Check { default: true_or_false(text).ok_or_else(wrong)? }
            }
            Some("spin") => OptionKind::Spin {
                default: integer("default")?,
                min: integer("min")?,
                max: integer("max")?,
            },
            Some("combo") => OptionKind::Combo {
                default: first("default").unwrap_or_default().to_owned(),
                variants: all("var").map(|(_, text)| text.clone()).collect(),
            },
            other => {
                let expected = "check, spin, combo, button or string";
                return Err(wrong("type", expected, other));
            }
        })
    }
}

fn true_or_false(word: &str) -> Option<bool> {
    [false, true].into_iter().find(|value| word.eq_ignore_ascii_case(&value.to_string()))
}

/// Trims a text and replaces the protocol's word for an empty text.
fn plain(text: &str) -> String {
    let text = text.trim_ascii();
    if text == EMPTY { String::new() } else { OneLine(text).to_string() }
}

/// Returns the fields with these names in order, each with its text.
fn fields<'a>(tokens: Tokens<'a>, names: &[&str]) -> Vec<(&'a str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in tokens {
        match fields.last_mut() {
            _ if names.contains(&word) => fields.push((word, String::new())),
            Some((_, text)) => push_word(text, word),
            None => {}
        }
    }
    fields
}

/// Writes the complete line.
impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, variants } => {
                write!(f, "combo default {default}")?;
                variants.iter().try_for_each(|variant| write!(f, " var {variant}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    fn parse(text: &str) -> Result<OptionDeclaration, ParseError> {
        OptionDeclaration::parse(Tokens::new(text))
    }

    fn combo(default: &str, variants: &[&str]) -> OptionKind {
        let variants = variants.iter().map(|&variant| variant.to_owned()).collect();
        OptionKind::Combo { default: default.to_owned(), variants }
    }

    const NO_TEXT: OptionKind = OptionKind::Text { default: String::new() };

    #[test]
    fn every_type_round_trips() {
        for text in [
            "name Hash type spin default 16 min 1 max 262144",
            "name UCI_Chess960 type check default false",
            "name Clear Hash type button",
            "name SMP Mode type combo default lazy var lazy var very lazy indeed",
            "name SyzygyPath type string default <empty>",
            "name EvalFile type string default /a  path/min max var.nnue",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), format!("option {text}"));
        }
    }

    #[test]
    fn declarations_of_other_engines_are_parsed() {
        for (text, kind) in [
            ("spin min -5 max 5 default 0", OptionKind::Spin { default: 0, min: -5, max: 5 }),
            ("check", OptionKind::Check { default: false }),
            ("string", NO_TEXT),
            ("string default", NO_TEXT),
            ("combo var Solid var Normal default normal", combo("Normal", &["Solid", "Normal"])),
        ] {
            let parsed = parse(&format!("name X type {text}"));
            assert_eq!(parsed, OptionDeclaration::new("X", kind), "{text}");
        }
    }

    #[test]
    fn errors_name_the_wrong_field() {
        for (text, error) in [
            ("", "option: needs a name"),
            ("name type spin", "option: needs a name"),
            ("name X", "option X: type needs check, spin, combo, button or string, found nothing"),
            (
                "name X type spin default a min 0 max 1",
                "option X: default needs a whole number, found `a`",
            ),
            (
                "name X type spin default 2 min 0 max 1",
                "option X: default needs a whole number from 0 to 1, found `2`",
            ),
            ("name X type combo default a var b", "option X: default needs one of b, found `a`"),
            ("name X type combo var b", "option X: default needs one of b, found nothing"),
            (
                "name the max type button",
                "option: `the max` contains the word `max`, which is reserved by the protocol",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error, "{text}");
        }
    }

    fn options() -> Options {
        Options::new([
            ("Hash", OptionKind::Spin { default: 16, min: 1, max: 262_144 }),
            ("Ponder", OptionKind::Check { default: false }),
            ("SMP Mode", combo("lazy", &["lazy", "Defer now"])),
            ("Clear Hash", OptionKind::Button),
            ("SyzygyPath", NO_TEXT),
        ])
        .unwrap()
    }

    fn set(rest: &str) -> Result<(String, OptionValue), String> {
        let Ok(Command::SetOption(set)) = format!("setoption name {rest}").parse() else {
            panic!("{rest}")
        };
        let options = options();
        let (name, value) = options.interpret(&set).map_err(|error| error.to_string())?;
        Ok((name.to_owned(), value))
    }

    #[test]
    fn values_have_the_declared_type() {
        for (rest, name, value) in [
            ("hAsH value 262144", "Hash", OptionValue::Spin(262_144)),
            ("ponder value TRUE", "Ponder", OptionValue::Check(true)),
            ("smp  mode value defer NOW", "SMP Mode", OptionValue::Combo("Defer now".to_owned())),
            ("Clear Hash", "Clear Hash", OptionValue::Button),
            ("clear hash value", "Clear Hash", OptionValue::Button),
            ("SyzygyPath value /a b", "SyzygyPath", OptionValue::Text("/a b".to_owned())),
            ("SyzygyPath value <empty>", "SyzygyPath", OptionValue::Text(String::new())),
            ("SyzygyPath", "SyzygyPath", OptionValue::Text(String::new())),
        ] {
            assert_eq!(set(rest), Ok((name.to_owned(), value)), "{rest}");
        }
    }

    #[test]
    fn errors_name_the_wrong_value() {
        for (rest, error) in [
            ("Hash value abc", "option Hash: needs a whole number from 1 to 262144, found `abc`"),
            ("Hash value 0", "option Hash: needs a whole number from 1 to 262144, found `0`"),
            ("Hash value 1e3", "option Hash: needs a whole number from 1 to 262144, found `1e3`"),
            ("Hash", "option Hash: needs a whole number from 1 to 262144, found nothing"),
            ("Ponder value maybe", "option Ponder: needs true or false, found `maybe`"),
            ("SMP Mode value x", "option SMP Mode: needs one of lazy, Defer now, found `x`"),
            ("Hush value 1", "there is no option `Hush`"),
        ] {
            assert_eq!(set(rest), Err(error.to_owned()));
        }
    }

    #[test]
    fn names_are_unique_regardless_of_case() {
        let twice = [("Go", OptionKind::Button), ("gO", OptionKind::Check { default: true })];
        assert_eq!(Options::new(twice), Err(ParseError::DuplicateOption("gO".to_owned())));
    }
}
