//! Option declarations: `option name Hash type spin default 16 min 1 max 262144`.

use std::fmt;
use std::ops::RangeInclusive;

use crate::error::{DeclarationError, Found};
use crate::number::number;
use crate::print::OneLine;
use crate::tokens::{Tokens, push_word, single_spaced};

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
pub(crate) const EMPTY: &str = "<empty>";

/// The words that may not be part of a name. The protocol does not reserve `value`, but it ends the
/// name in `setoption name ... value`.
const RESERVED_IN_NAMES: &[&str] = &["name", "type", "default", "min", "max", "var", "value"];
const RESERVED_IN_VARIANTS: &[&str] = &["default", "var"];
const WHOLE_NUMBER: &str = "a whole number";

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
        let name = || name.to_owned();
        match self {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                Err(DeclarationError::DefaultOutOfRange { name: name(), default, min, max })
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
                    None => Err(DeclarationError::DefaultNotAVariant { name: name(), default }),
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
                let default = fields.require(name, "default", "true or false", true_or_false)?;
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
                let (name, found) = (name.to_owned(), Found::from(other));
                Err(DeclarationError::Type { name, found })
            }
        }
    }
}

/// Returns the variant that equals this text, regardless of case.
pub(crate) fn find_variant<'v>(variants: &'v [String], text: &str) -> Option<&'v str> {
    variants.iter().find(|variant| variant.eq_ignore_ascii_case(text)).map(String::as_str)
}

pub(crate) fn true_or_false(word: &str) -> Option<bool> {
    match word {
        _ if word.eq_ignore_ascii_case("true") => Some(true),
        _ if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Trims a text and replaces the protocol's word for an empty text.
pub(crate) fn plain(text: &str) -> String {
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
            expected,
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

#[cfg(test)]
mod tests {
    use super::*;

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
            "option X: the default 2 is not from 0 to 1"
        );
        assert_eq!(
            error("name X type combo default a var b"),
            "option X: the default `a` is not one of its variants"
        );
        assert_eq!(
            error("name the max type button"),
            "option: `the max` contains the word `max`, which is reserved by the protocol"
        );
    }
}
