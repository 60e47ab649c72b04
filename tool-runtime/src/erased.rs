//! Values of an author's types, whose type only their tool knows.

use std::any::Any;
use std::sync::Arc;

use crate::panics::Guarded;

/// A shared value of some type. If it panics while it is dropped, whoever held it last does not.
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Any + Send + Sync>);

impl Erased {
    pub(crate) fn new<T: Any + Send + Sync>(value: T) -> Self {
        Self(Arc::new(Guarded::new(value)))
    }

    /// The value, if it is of this type.
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref::<Guarded<T>>().map(|value| &**value)
    }

    /// The value itself, if it is of this type and nobody else holds it.
    pub(crate) fn into_inner<T: Any + Send + Sync>(self) -> Result<T, Self> {
        let value = self.0.downcast::<Guarded<T>>().map_err(Self)?;
        Arc::try_unwrap(value).map(Guarded::into_inner).map_err(|shared| Self(shared))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_got_by_its_own_type_and_taken_by_its_last_holder() {
        let value = Erased::new(7_u8);
        assert_eq!((value.get::<u8>(), value.get::<i8>()), (Some(&7), None));
        let other = value.clone();
        let value = value.into_inner::<u8>().err().unwrap();
        drop(other);
        assert_eq!(value.into_inner::<u8>().ok(), Some(7));
    }
}
