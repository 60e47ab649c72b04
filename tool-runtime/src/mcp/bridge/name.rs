//! Names: what a server is called here, and what its tools are called.

use sha2::{Digest, Sha256};

use super::BridgeError;

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

/// So much of a name stays before its digest.
const KEPT: usize = 51;

/// A server's name: `[A-Za-z0-9_-]{1,32}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerName(String);

impl ServerName {
    pub(super) fn new(name: String) -> Result<Self, BridgeError> {
        if (1..=32).contains(&name.len()) && name.chars().all(is_plain) {
            Ok(Self(name))
        } else {
            Err(BridgeError::invalid(format!(
                "{name:?} is no name of a server; it has letters of ASCII, digits, `_` and `-`, 1 to 32 of them"
            )))
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name under which a tool of this server is registered: `mcp__<server>__<raw>` where every provider takes that, and
    /// else a part of it with a digest of both names. It is never read back: the raw name goes with the tool.
    pub(super) fn public(&self, raw: &str) -> String {
        let whole = format!("mcp__{}__{raw}", self.0);
        if whole.len() <= MAX_NAME && raw.chars().all(is_plain) {
            return whole;
        }
        let plain: String = whole.chars().map(|char| if is_plain(char) { char } else { '_' }).take(KEPT).collect();
        format!("{plain}_{}", self.digest(raw))
    }

    /// Twelve digits of the SHA-256 of server, NUL, raw name.
    fn digest(&self, raw: &str) -> String {
        let digest = Sha256::new().chain_update(&self.0).chain_update([0]).chain_update(raw).finalize();
        let number = digest.iter().take(6).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        format!("{number:012x}")
    }
}

fn is_plain(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '-'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn server() -> ServerName {
        ServerName::new("files".into()).unwrap()
    }

    #[test]
    fn a_plain_name_is_prefixed_and_every_other_gets_a_digest() {
        assert_eq!(server().public("read_file"), "mcp__files__read_file");
        // printf 'files\0math.add' | sha256sum
        assert_eq!(server().public("math.add"), "mcp__files__math_add_861cbe385828");
        let longest = "x".repeat(MAX_NAME - "mcp__files__".len());
        assert_eq!(server().public(&longest), format!("mcp__files__{longest}"));
        let longer = server().public(&format!("{longest}x"));
        assert_eq!(longer.len(), MAX_NAME);
        assert!(longer.starts_with(&format!("mcp__files__{}_", "x".repeat(KEPT - "mcp__files__".len()))), "{longer}");
    }

    #[test]
    fn a_server_has_a_short_plain_name() {
        for good in ["a", "A-b_9", &"n".repeat(32)] {
            assert!(ServerName::new(good.into()).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a.b", "é", "a/b", "a\0", &"n".repeat(33)] {
            assert!(ServerName::new(bad.into()).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn two_tools_never_get_one_name(
            left in "[a-c._ é-]{0,8}|[ab]{40,80}",
            right in "[a-c._ é-]{0,8}|[ab]{40,80}",
        ) {
            prop_assert_eq!(server().public(&left) == server().public(&right), left == right);
        }

        #[test]
        fn every_name_is_one_that_providers_take(server in "[A-Za-z0-9_-]{1,32}", raw in "\\PC{0,100}") {
            let name = ServerName::new(server).unwrap().public(&raw);
            prop_assert!(name.len() <= MAX_NAME && name.starts_with("mcp__") && name.chars().all(is_plain), "{name}");
        }
    }
}
