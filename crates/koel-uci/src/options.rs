//! The options of an engine: their declarations, such as
//! `option name Hash type spin default 16 min 1 max 262144`, and the interpretation of `setoption`.

use std::fmt;
use std::ops::RangeInclusive;

use crate::command::SetOption;
use crate::error::{DeclarationError, Found, OptionError};
use crate::number::number;
use crate::print::OneLine;
use crate::tokens::{Tokens, push_word, single_spaced};

/// The options of an engine in declaration order, with case-insensitive lookup by name.
///
/// ```
/// use koel_uci::{Command, OptionDeclaration, OptionValue, Options};
///
/// let options = Options::new([
///     OptionDeclaration::spin("Hash", 16, 1..=262_144),
///     OptionDeclaration::button("Clear Hash"),
/// ])?;
///
/// let Ok(Command::SetOption(set)) = "setoption name hash value 64".parse() else { panic!() };
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
    /// Creates the options from the results of the constructors of [`OptionDeclaration`].
    ///
    /// # Errors
    /// The first invalid declaration, or the first duplicate name.
    pub fn new(
        declarations: impl IntoIterator<Item = Result<OptionDeclaration, DeclarationError>>,
    ) -> Result<Options, DeclarationError> {
        let mut options = Options::default();
        declarations.into_iter().try_for_each(|declaration| options.add(declaration?))?;
        Ok(options)
    }

    /// Adds an option, for a match runner that parses an engine's declarations.
    ///
    /// # Errors
    /// If there is an option with this name.
    pub fn add(&mut self, declaration: OptionDeclaration) -> Result<(), DeclarationError> {
        if self.get(declaration.name()).is_some() {
            return Err(DeclarationError::Duplicate { name: declaration.name().to_owned() });
        }
        self.declarations.push(declaration);
        Ok(())
    }

    /// Returns the option with this name (case-insensitive).
    pub fn get(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declarations.iter().find(|declared| declared.name().eq_ignore_ascii_case(name))
    }

    /// Returns all options, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionDeclaration> {
        self.declarations.iter()
    }

    /// Validates a `setoption` and returns the declared name of the option and its new value.
    ///
    /// # Errors
    /// If there is no such option, or the value is not allowed.
    pub fn interpret(&self, set: &SetOption) -> Result<(&str, OptionValue), OptionError> {
        let declaration = self
            .get(&set.name)
            .ok_or_else(|| OptionError::Unknown { name: Found::word(&set.name) })?;
        Ok((declaration.name(), declaration.interpret(set.value.as_deref())?))
    }
}

/// The declaration of an option. It is always valid: the default is an allowed value, and the name
/// contains no reserved word of the protocol.
///
/// ```
/// use koel_uci::OptionDeclaration;
///
/// let hash = OptionDeclaration::spin("Hash", 16, 1..=262_144)?;
/// assert_eq!(hash.to_string(), "option name Hash type spin default 16 min 1 max 262144");
/// assert!(OptionDeclaration::button("Reset to default").is_err());
/// # Ok::<(), koel_uci::DeclarationError>(())
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
    pub fn new(name: &str, kind: OptionKind) -> Result<OptionDeclaration, DeclarationError> {
        let name = without_words(name, RESERVED_IN_NAMES)?;
        if name.is_empty() {
            return Err(DeclarationError::NoName);
        }
        let kind = kind.checked(&name)?;
        Ok(OptionDeclaration { name, kind })
    }

    /// Declares an option that is on or off.
    ///
    /// # Errors
    /// See [`OptionDeclaration::new`].
    pub fn check(name: &str, default: bool) -> Result<OptionDeclaration, DeclarationError> {
        OptionDeclaration::new(name, OptionKind::Check { default })
    }

    /// Declares an integer option.
    ///
    /// # Errors
    /// See [`OptionDeclaration::new`].
    pub fn spin(
        name: &str,
        default: i64,
        range: RangeInclusive<i64>,
    ) -> Result<OptionDeclaration, DeclarationError> {
        let (min, max) = range.into_inner();
        OptionDeclaration::new(name, OptionKind::Spin { default, min, max })
    }

    /// Declares an option with several variants.
    ///
    /// # Errors
    /// See [`OptionDeclaration::new`].
    pub fn combo(
        name: &str,
        default: &str,
        variants: &[&str],
    ) -> Result<OptionDeclaration, DeclarationError> {
        let variants = variants.iter().map(|&variant| variant.to_owned()).collect();
        OptionDeclaration::new(name, OptionKind::Combo { default: default.to_owned(), variants })
    }

    /// Declares a button.
    ///
    /// # Errors
    /// See [`OptionDeclaration::new`].
    pub fn button(name: &str) -> Result<OptionDeclaration, DeclarationError> {
        OptionDeclaration::new(name, OptionKind::Button)
    }

    /// Declares a string option.
    ///
    /// # Errors
    /// See [`OptionDeclaration::new`].
    pub fn text(name: &str, default: &str) -> Result<OptionDeclaration, DeclarationError> {
        OptionDeclaration::new(name, OptionKind::Text { default: default.to_owned() })
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
    pub(crate) fn parse(mut tokens: Tokens<'_>) -> Result<OptionDeclaration, DeclarationError> {
        if tokens.accept(|word| (word == "name").then_some(())).is_none() {
            return Err(DeclarationError::NoName);
        }
        let (name, _) = tokens.phrase_until("type");
        if name.is_empty() {
            return Err(DeclarationError::NoName);
        }
        let kind = OptionKind::parse(&name, tokens)?;
        OptionDeclaration::new(&name, kind)
    }
}

fn without_words(text: &str, words: &[&'static str]) -> Result<String, DeclarationError> {
    let text = single_spaced(text);
    match words.iter().find(|&&word| text.split(' ').any(|part| part == word)) {
        Some(word) => Err(DeclarationError::ReservedWord { text, word }),
        None => Ok(text),
    }
}

impl OptionKind {
    fn checked(self, name: &str) -> Result<OptionKind, DeclarationError> {
        let wrong_default = |expected, found: &str| {
            let (name, found) = (name.to_owned(), Found::word(found));
            DeclarationError::Field { name, field: "default", expected, found }
        };
        match self {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                Err(wrong_default(number_between(min, max), &default.to_string()))
            }
            OptionKind::Combo { default, variants } => {
                let variants = variants
                    .iter()
                    .map(|variant| without_words(variant, RESERVED_IN_VARIANTS))
                    .collect::<Result<Vec<_>, _>>()?;
                let default = single_spaced(&default);
                match find_variant(&variants, &default) {
                    Some(default) => {
                        Ok(OptionKind::Combo { default: default.to_owned(), variants })
                    }
                    None => Err(wrong_default(one_of(&variants), &default)),
                }
            }
            OptionKind::Text { default } => Ok(OptionKind::Text { default: plain(&default) }),
            valid => Ok(valid),
        }
    }

    fn parse(name: &str, mut tokens: Tokens<'_>) -> Result<OptionKind, DeclarationError> {
        let kind = tokens.next();
        if kind == Some("string") {
            tokens.accept(|word| (word == "default").then_some(()));
            return Ok(OptionKind::Text { default: tokens.text() });
        }
        let integer = |fields: &Fields, field| fields.require(name, field, WHOLE_NUMBER, number);
        match kind {
            Some("button") => Ok(OptionKind::Button),
            Some("check") => {
                let fields = Fields::read(tokens, &["default"]);
                if fields.first("default").is_none() {
                    return Ok(OptionKind::Check { default: false });
                }
                let default = fields.require(name, "default", TRUE_OR_FALSE, true_or_false)?;
                Ok(OptionKind::Check { default })
            }
            Some("spin") => {
                let fields = Fields::read(tokens, &["default", "min", "max"]);
                Ok(OptionKind::Spin {
                    default: integer(&fields, "default")?,
                    min: integer(&fields, "min")?,
                    max: integer(&fields, "max")?,
                })
            }
            Some("combo") => {
                let fields = Fields::read(tokens, RESERVED_IN_VARIANTS);
                let default = fields.require(name, "default", "one of the variants", |text| {
                    Some(text.to_owned())
                })?;
                Ok(OptionKind::Combo { default, variants: fields.all("var") })
            }
            other => {
                let expected = "check, spin, combo, button or string".to_owned();
                let (name, found) = (name.to_owned(), Found::from(other));
                Err(DeclarationError::Field { name, field: "type", expected, found })
            }
        }
    }
}

fn number_between(min: i64, max: i64) -> String {
    format!("{WHOLE_NUMBER} from {min} to {max}")
}

fn one_of(variants: &[String]) -> String {
    format!("one of {}", variants.join(", "))
}

/// Returns the variant that equals this text, regardless of case.
fn find_variant<'v>(variants: &'v [String], text: &str) -> Option<&'v str> {
    variants.iter().find(|variant| variant.eq_ignore_ascii_case(text)).map(String::as_str)
}

fn true_or_false(word: &str) -> Option<bool> {
    match word {
        _ if word.eq_ignore_ascii_case("true") => Some(true),
        _ if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Trims a text and replaces the protocol's word for an empty text.
fn plain(text: &str) -> String {
    let text = text.trim_ascii();
    if text == EMPTY { String::new() } else { OneLine(text).to_string() }
}

/// The fields after the type in order, each a name with its text.
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    fn read(tokens: Tokens<'_>, names: &[&'static str]) -> Fields {
        let mut fields: Vec<(&'static str, String)> = Vec::new();
        for word in tokens {
            match names.iter().find(|&&name| name == word) {
                Some(name) => fields.push((name, String::new())),
                None => fields.last_mut().into_iter().for_each(|(_, text)| push_word(text, word)),
            }
        }
        Fields(fields)
    }

    fn first(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == field).map(|(_, text)| text.as_str())
    }

    fn all(&self, field: &str) -> Vec<String> {
        self.0.iter().filter(|(name, _)| *name == field).map(|(_, text)| text.clone()).collect()
    }

    fn require<T>(
        &self,
        option: &str,
        field: &'static str,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, DeclarationError> {
        let text = self.first(field);
        text.and_then(read).ok_or_else(|| DeclarationError::Field {
            name: option.to_owned(),
            field,
            expected: expected.to_owned(),
            found: Found::from(text),
        })
    }
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

impl OptionDeclaration {
    /// Parses a text as a value of the option.
    ///
    /// The value of a button is ignored: some GUIs send an empty value, some none. A string option
    /// without a value is empty. A number out of range is an error and is not clamped, so that the
    /// user learns of it; a GUI that respects the declaration never sends one.
    ///
    /// # Errors
    /// If the value is not allowed.
    pub fn interpret(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = value.map(str::trim_ascii);
        let (read, expected) = match self.kind() {
            OptionKind::Check { .. } => {
                (text.and_then(true_or_false).map(OptionValue::Check), TRUE_OR_FALSE.to_owned())
            }
            &OptionKind::Spin { min, max, .. } => {
                let number = text.and_then(number).filter(|number| (min..=max).contains(number));
                (number.map(OptionValue::Spin), number_between(min, max))
            }
            OptionKind::Combo { variants, .. } => {
                let variant = text.and_then(|text| find_variant(variants, text));
                (variant.map(|text| OptionValue::Combo(text.to_owned())), one_of(variants))
            }
            OptionKind::Button => return Ok(OptionValue::Button),
            OptionKind::Text { .. } => {
                return Ok(OptionValue::Text(plain(text.unwrap_or_default())));
            }
        };
        let found = Found::from(text.filter(|text| !text.is_empty()));
        read.ok_or_else(|| OptionError::Value { name: self.name.clone(), expected, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    fn parse(text: &str) -> Result<OptionDeclaration, DeclarationError> {
        OptionDeclaration::parse(Tokens::new(text))
    }

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

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
        let spin = OptionDeclaration::spin("X", 0, -5..=5);
        assert_eq!(parse("name X type spin min -5 max 5 default 0"), spin);
        assert_eq!(parse("name X type check"), OptionDeclaration::check("X", false));
        assert_eq!(parse("name X type string"), OptionDeclaration::text("X", ""));
        assert_eq!(parse("name X type string default"), OptionDeclaration::text("X", ""));
        let combo = OptionDeclaration::combo("X", "Normal", &["Solid", "Normal"]);
        assert_eq!(parse("name X type combo var Solid var Normal default normal"), combo);
    }

    #[test]
    fn errors_name_the_wrong_field() {
        assert_eq!(error(""), "option: needs a name");
        assert_eq!(error("name type spin"), "option: needs a name");
        assert_eq!(
            error("name X"),
            "option X: type needs check, spin, combo, button or string, found nothing"
        );
        assert_eq!(
            error("name X type spin default a min 0 max 1"),
            "option X: default needs a whole number, found `a`"
        );
        assert_eq!(
            error("name X type spin default 2 min 0 max 1"),
            "option X: default needs a whole number from 0 to 1, found `2`"
        );
        assert_eq!(
            error("name X type combo default a var b"),
            "option X: default needs one of b, found `a`"
        );
        assert_eq!(
            error("name the max type button"),
            "option: `the max` contains the word `max`, which is reserved by the protocol"
        );
    }

    fn options() -> Options {
        Options::new([
            OptionDeclaration::spin("Hash", 16, 1..=262_144),
            OptionDeclaration::check("Ponder", false),
            OptionDeclaration::combo("SMP Mode", "lazy", &["lazy", "Defer now"]),
            OptionDeclaration::button("Clear Hash"),
            OptionDeclaration::text("SyzygyPath", ""),
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
        let twice = [OptionDeclaration::button("Go"), OptionDeclaration::check("gO", true)];
        let error = Options::new(twice).unwrap_err();
        assert_eq!(error, DeclarationError::Duplicate { name: "gO".to_owned() });
    }
}
