//! Which files a call touches.

use std::path::{Component, Path};

/// The key under which a batch knows a file or a directory, with all that lies in it: its names from the root of the
/// workspace, so that `a` and `./a` are one. Letters are small, for there are systems on which `a` and `A` are one file.
///
/// The disk is not asked. An absolute path, and one with `..`, may lead to any file: their key is that of all files. A
/// symbolic link has another key than what it leads to; that no writer overwrites what another just wrote is the workspace's
/// own care.
pub(super) fn key(path: &str) -> String {
    const ALL: &str = "files";
    let mut key = ALL.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => {
                key.push('/');
                key.push_str(&name.to_string_lossy().to_lowercase());
            }
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return ALL.to_owned(),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn one_file_has_one_key() {
        for path in ["a", "./a", "a/", "A", ".//./a"] {
            assert_eq!(key(path), "files/a", "{path}");
        }
        assert_eq!(key("src/main.rs"), "files/src/main.rs");
    }

    #[test]
    fn what_may_be_any_file_is_all_of_them() {
        for path in ["", ".", "./", "/work/a", "..", "../a", "b/../a"] {
            assert_eq!(key(path), "files", "{path}");
        }
    }
}
