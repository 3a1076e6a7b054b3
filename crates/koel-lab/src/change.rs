//! A change that a side may make.

use anyhow::{Context, Result};

use crate::pairs::Options;
use crate::switches::Switch;

/// A change: the options that the side with the change sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) options: Options,
}

impl Change {
    /// Parses features, which are switched from their default, and options with their values,
    /// separated by commas.
    pub(crate) fn parse(text: &str, switches: &[Switch]) -> Result<Change> {
        let option = |word: &str| {
            if let Some((name, value)) = word.split_once('=') {
                return Ok((name.to_owned(), value.to_owned()));
            }
            let switch = switches.iter().find(|switch| switch.feature == word);
            let switch = switch.with_context(|| format!("there is no feature `{word}`"))?;
            Ok(switch.option(!switch.is_on))
        };
        let options = text.split(',').map(option).collect::<Result<_>>()?;
        Ok(Change { options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_switched_and_options_are_set() {
        let switches =
            [("a", true), ("b", false)].map(|(name, is_on)| Switch { feature: name.into(), is_on });
        let options = |text: &str| Some(Change::parse(text, &switches).ok()?.options);
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options("a"), Some(vec![named("Feature_a", "false")]));
        assert_eq!(options("b,x=5"), Some(vec![named("Feature_b", "true"), named("x", "5")]));
        assert_eq!(options("c"), None);
    }
}
