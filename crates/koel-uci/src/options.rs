//! The options of an engine, and what a `setoption` means to them.

use crate::command::SetOption;
use crate::declaration::{OptionDeclaration, OptionKind, plain, same_variant, true_or_false};
use crate::error::{DeclarationError, Found, OptionError};
use crate::number::number;

/// The options of an engine in the order in which it declares them, found by name whatever the
/// case of its letters.
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

/// The value of an option, of the type it was declared with and within its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// A whole number within its range.
    Spin(i64),
    /// One of the variants, spelt as declared.
    Combo(String),
    /// The button is pressed.
    Button,
    /// Any text; empty for `<empty>`.
    Text(String),
}

impl Options {
    /// Collects declarations; takes them as the constructors of [`OptionDeclaration`] give them.
    ///
    /// # Errors
    /// The first declaration that is not sound, or that repeats the name of an earlier one.
    pub fn new(
        declarations: impl IntoIterator<Item = Result<OptionDeclaration, DeclarationError>>,
    ) -> Result<Options, DeclarationError> {
        let mut options = Options::default();
        declarations.into_iter().try_for_each(|declaration| options.add(declaration?))?;
        Ok(options)
    }

    /// Adds one more, as a match runner does while it reads an engine's introduction.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn add(&mut self, declaration: OptionDeclaration) -> Result<(), DeclarationError> {
        if self.get(declaration.name()).is_some() {
            return Err(DeclarationError::Duplicate { name: declaration.name().to_owned() });
        }
        self.declarations.push(declaration);
        Ok(())
    }

    /// The option of this name, in upper or lower case.
    pub fn get(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declarations.iter().find(|declared| declared.name().eq_ignore_ascii_case(name))
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionDeclaration> {
        self.declarations.iter()
    }

    /// The declared name of the option that is to be set, and its new value.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one it may have.
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
    /// What this text means as a value of the option.
    ///
    /// A button is pressed whatever follows: some GUIs send an empty value, some none. A text
    /// without a value is empty. A number out of range is an error, not the nearest one in range:
    /// the user is told, and a GUI that reads the declaration never sends one.
    ///
    /// # Errors
    /// When the option cannot have that value.
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
                .and_then(|text| same_variant(variants, text))
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

    /// The value before anyone sets it; none for a button, which nobody has pressed.
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
    fn what_is_wrong_is_named() {
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
    fn names_are_unique_whatever_their_case() {
        let twice = [OptionDeclaration::button("Go"), OptionDeclaration::check("gO", true)];
        let error = Options::new(twice).unwrap_err();
        assert_eq!(error, DeclarationError::Duplicate { name: "gO".to_owned() });
    }

    #[test]
    fn every_default_is_a_value_the_option_may_have() {
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
