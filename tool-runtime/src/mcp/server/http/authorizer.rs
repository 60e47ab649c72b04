//! Who may ask.

use std::fmt;
use std::future::Future;

use subtle::{Choice, ConstantTimeEq};

use super::InvalidHttpOptions;
use crate::definition::BoxFuture;

/// Judges the token of a request, which stands in its header `Authorization: Bearer …`.
///
/// It is asked at each request, before its body is read. A request without a token is refused before it is asked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not judge tokens",
    label = "no `impl Authorizer for {Self}`",
    note = "for tokens that are known, there is `Tokens::new([\"…\"])`"
)]
pub trait Authorizer: Send + Sync + 'static {
    /// Whether a request with this token may pass. What compares secrets does it in a time that tells nothing of them, as
    /// [`Tokens`] does.
    fn authorize(&self, token: &str) -> impl Future<Output = bool> + Send;
}

/// The same with its future boxed.
pub(super) trait ErasedAuthorizer: Send + Sync {
    fn authorize<'a>(&'a self, token: &'a str) -> BoxFuture<'a, bool>;
}

impl<A: Authorizer> ErasedAuthorizer for A {
    fn authorize<'a>(&'a self, token: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(Authorizer::authorize(self, token))
    }
}

/// Tokens that are known. How long a comparison takes depends on their lengths alone.
#[derive(Clone)]
pub struct Tokens(Vec<Box<str>>);

impl Tokens {
    /// Any of these may pass.
    ///
    /// # Errors
    /// There is none, or one is empty: whoever reads them from the environment has forgotten to set it.
    pub fn new<T: Into<String>>(tokens: impl IntoIterator<Item = T>) -> Result<Self, InvalidHttpOptions> {
        let tokens: Vec<Box<str>> = tokens.into_iter().map(|token| token.into().into_boxed_str()).collect();
        if tokens.is_empty() || tokens.iter().any(|token| token.trim().is_empty()) {
            return Err(InvalidHttpOptions::EmptyToken);
        }
        Ok(Self(tokens))
    }
}

impl Authorizer for Tokens {
    async fn authorize(&self, token: &str) -> bool {
        let equal = |known: &str| known.as_bytes().ct_eq(token.as_bytes());
        self.0.iter().fold(Choice::from(0), |any, known| any | equal(known)).into()
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("known", &self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_token_passes_if_it_is_one_of_those_known_to_its_last_byte() {
        let tokens = Tokens::new(["first", "second"]).unwrap();
        for (token, passes) in [("first", true), ("second", true), ("secon", false), ("second ", false), ("", false)] {
            assert_eq!(Authorizer::authorize(&tokens, token).await, passes, "{token:?}");
        }
    }

    #[test]
    fn tokens_are_not_shown_and_not_empty() {
        assert_eq!(format!("{:?}", Tokens::new(["secret"]).unwrap()), "Tokens { known: 1 }");
        assert!(Tokens::new(["a", " "]).is_err());
        assert!(Tokens::new(Vec::<String>::new()).is_err());
    }
}
