//! The options of an engine, and the interpretation of `setoption`.

use crate::command::SetOption;
use crate::declaration::{OptionDeclaration, OptionKind, find_variant, plain, true_or_false};
use crate::error::{DeclarationError, Found, OptionError};
use crate::number::number;

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

impl<'a> IntoIterator for &'a Options {
    type Item = &'a OptionDeclaration;
    type IntoIter = std::slice::Iter<'a, OptionDeclaration>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
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
        let found = || Found::from(text.filter(|text| !text.is_empty()));
        let name = || self.name().to_owned();
        match self.kind() {
            OptionKind::Check { .. } => text
                .and_then(true_or_false)
                .map(OptionValue::Check)
                .ok_or_else(|| OptionError::NotABool { name: name(), found: found() }),
            &OptionKind::Spin { min, max, .. } => text
                .and_then(number)
                .filter(|number| (min..=max).contains(number))
                .map(OptionValue::Spin)
                .ok_or_else(|| OptionError::NotInRange { name: name(), found: found(), min, max }),
            OptionKind::Combo { variants, .. } => text
                .and_then(|text| find_variant(variants, text))
                .map(|variant| OptionValue::Combo(variant.to_owned()))
                .ok_or_else(|| OptionError::NotAVariant {
                    name: name(),
                    found: found(),
                    variants: variants.clone(),
                }),
            OptionKind::Button => Ok(OptionValue::Button),
            OptionKind::Text { .. } => Ok(OptionValue::Text(plain(text.unwrap_or_default()))),
        }
    }

    /// Returns the default value; `None` for a button.
    pub fn default_value(&self) -> Option<OptionValue> {
        match self.kind() {
            OptionKind::Check { default } => Some(OptionValue::Check(*default)),
            OptionKind::Spin { default, .. } => Some(OptionValue::Spin(*default)),
            OptionKind::Combo { default, .. } => Some(OptionValue::Combo(default.clone())),
            OptionKind::Button => None,
            OptionKind::Text { default } => Some(OptionValue::Text(default.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

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

    #[test]
    fn every_default_is_an_allowed_value() {
        for declaration in &options() {
            let value = match declaration.default_value() {
                None => continue,
                Some(OptionValue::Check(is_on)) => is_on.to_string(),
                Some(OptionValue::Spin(number)) => number.to_string(),
                Some(OptionValue::Combo(text) | OptionValue::Text(text)) => text,
                Some(OptionValue::Button) => unreachable!("a button has no default"),
            };
            assert_eq!(
                declaration.interpret(Some(&value)).ok(),
                declaration.default_value(),
                "{declaration}"
            );
        }
    }
}
