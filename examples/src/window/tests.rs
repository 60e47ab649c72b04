use super::*;
use proptest::prelude::*;

fn window(text: impl AsRef<[u8]>, offset: u32, limit: u32) -> Window {
    read(text.as_ref(), offset, limit, &Stop::default()).expect("text")
}

fn texts(window: &Window) -> Vec<(u32, &str)> {
    window.lines.iter().map(|(number, text)| (*number, text.as_str())).collect()
}

#[test]
fn the_window_is_cut_out_and_the_count_is_the_whole_file_s() {
    let five = "a\nb\nc\nd\ne\n";
    let cases = [
        (1, 2, vec![(1, "a"), (2, "b")]),
        (4, 2, vec![(4, "d"), (5, "e")]),
        (5, 9, vec![(5, "e")]),
        (6, 1, vec![]),
        (u32::MAX, u32::MAX, vec![]),
    ];
    for (offset, limit, expected) in cases {
        let window = window(five, offset, limit);
        assert_eq!((texts(&window), window.total_lines), (expected, 5), "offset {offset}, limit {limit}");
    }
}

#[test]
fn lines_are_counted_by_what_they_hold() {
    let cases: [(&str, &[&str]); 7] = [
        ("", &[]),
        ("\n", &[""]),
        ("\n\n", &["", ""]),
        ("a", &["a"]),
        ("a\nb", &["a", "b"]),
        ("a\r\nb\r\n", &["a", "b"]),
        ("a\rb\r\r\n\r\n", &["a\rb\r", ""]),
    ];
    for (text, expected) in cases {
        let window = window(text, 1, MAX_LINES);
        assert_eq!(texts(&window).iter().map(|(_, text)| *text).collect::<Vec<_>>(), expected, "{text:?}");
        assert_eq!(window.total_lines, u32::try_from(expected.len()).unwrap(), "{text:?}");
    }
}

#[test]
fn a_long_line_is_cut_after_2000_characters() {
    for (text, expected) in [
        ("ä".repeat(2000), "ä".repeat(2000)),
        ("ä".repeat(2000) + "\r\n", "ä".repeat(2000)),
        ("ä".repeat(2001), "ä".repeat(2000) + LINE_TRUNCATED),
        ("ä".repeat(2001) + "\r\n", "ä".repeat(2000) + LINE_TRUNCATED),
        ("ä".repeat(2000) + "\rx\n", "ä".repeat(2000) + LINE_TRUNCATED),
        ("ä".repeat(300_000), "ä".repeat(2000) + LINE_TRUNCATED),
    ] {
        let window = window(&text, 1, 1);
        assert_eq!(texts(&window), [(1, expected.as_str())]);
        assert_eq!(window.total_lines, 1);
    }
}

#[test]
fn the_window_ends_before_the_line_that_is_over_the_bytes() {
    // 51 lines of 1000 bytes and the breaks between them are 51 050 bytes: 149 more fit, 150 do not.
    let lines =
        |last: usize| "x".repeat(1000) + "\n" + &("x".repeat(1000) + "\n").repeat(50) + &"y".repeat(last) + "\nz\n";
    assert_eq!(window(lines(149), 1, MAX_LINES).lines.len(), 52);
    let capped = window(lines(150), 1, MAX_LINES);
    assert_eq!((capped.lines.len(), capped.total_lines), (51, 53), "the short line behind it must not slip in");
}

#[test]
fn chunks_leave_no_trace() {
    /// Gives a few bytes at a time, so that characters and line breaks are cut.
    struct Drip<'a>(&'a [u8], usize);
    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }
    let text = "zwölf\r\nBoxkämpfer 🥊🥊\n\njagen €\r\n\r\nViktor".repeat(40);
    let whole = window(&text, 3, 100);
    for size in 1..9 {
        let dripped = read(Drip(text.as_bytes(), size), 3, 100, &Stop::default()).expect("text");
        assert_eq!((&dripped.lines, dripped.total_lines), (&whole.lines, whole.total_lines));
        assert_eq!(dripped.digest, Digest::of(text.as_bytes()));
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_wherever_they_stand() {
    let mut late = "line\n".repeat(50_000).into_bytes();
    late.push(0xff);
    for bytes in [&b"\xff\xfe"[..], b"a\nb\0c\n", b"cut \xe2\x82", &late] {
        assert!(matches!(read(bytes, 1, 1, &Stop::default()), Err(Fault::NotText)));
    }
}

#[test]
fn a_raised_flag_ends_the_scan() {
    let stop = Stop::default();
    stop.raise();
    assert!(matches!(read(io::repeat(b'x'), 1, 1, &stop), Err(Fault::Stopped)));
}

/// What a window is, written down without a stream.
fn plainly(text: &str, offset: u32, limit: u32) -> (Vec<(u32, String)>, u32) {
    let lines: Vec<&str> = text.split_terminator('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let numbered = (1..).zip(&lines).skip(offset as usize - 1).take(limit as usize);
    let kept = numbered.map(|(number, line)| (number, (*line).to_owned())).collect();
    (kept, u32::try_from(lines.len()).unwrap())
}

proptest! {
    #[test]
    fn a_stream_gives_what_the_whole_text_gives(text in "[aé\r\n]{0,200}", offset in 1..30_u32, limit in 1..30_u32) {
        let window = window(&text, offset, limit);
        // A last line that ends in `\r` without `\n` loses it too: it shows no more of it than the others.
        prop_assert_eq!((window.lines, window.total_lines), plainly(&text, offset, limit));
    }
}
