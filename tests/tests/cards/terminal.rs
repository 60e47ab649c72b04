//! Cards in a terminal.

use proptest::prelude::*;
use tool_runtime::Content;
use tool_runtime::present::{
    CallView, DiffHunk, DiffResult, DurableResult, Exit, GenericCall, GenericResult, ReadResult, ResultView,
    SearchMatches, TerminalCall, TerminalResult, WebSearch, WebSource,
};
use tool_runtime::terminal::{MIN_WIDTH, Terminal};
use unicode_width::UnicodeWidthStr as _;

use super::round_trip::{calls, results};

#[test]
fn each_card_has_its_form() {
    let terminal = Terminal::plain(40);
    let mut shown: Vec<String> = calls().iter().map(|call| terminal.call(call)).collect();
    let call = GenericCall::new("Do it").into();
    let content = Content::text("what the model read").with_notice("cut");
    let success = DurableResult::success(&content);
    shown.extend(results().iter().map(|view| terminal.result(&call, view, &success)));
    shown.push(terminal.result(&call, &ResultView::fallback(), &success));
    shown.push(terminal.result(&call, &ResultView::fallback(), &DurableResult::failure(&content)));
    tests::assert_shown("cards-in-a-terminal.txt", &shown.join("\n"));
}

#[test]
fn only_our_own_colours_get_out_and_only_when_asked_for() {
    let call = CallView::from(TerminalCall::new("echo \x1b[31m"));
    assert_eq!(Terminal::plain(40).call(&call), "$ echo ␛[31m\n");
    assert_eq!(Terminal::plain(40).with_colours(true).call(&call), "\x1b[1m$ echo ␛[31m\x1b[0m\n");
}

#[test]
fn a_long_card_says_how_much_is_missing_and_how_it_ended() {
    let output: String = (1..=1000).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
    let view = TerminalResult::new().with_output(output).with_exit(Exit::Code(1)).into();
    let content = Content::empty();
    let shown = Terminal::plain(40).with_lines(3).result(
        &TerminalCall::new("run").into(),
        &view,
        &DurableResult::success(&content),
    );
    assert_eq!(shown, "✓ run\n  line 1\n  line 2\n  … 998 more lines\n  exit code 1\n");
}

fn any_result() -> impl Strategy<Value = ResultView> {
    let text = || any::<String>();
    prop_oneof![
        text().prop_map(|text| ResultView::from(GenericResult::new().with_content(&Content::text(text)))),
        (text(), text()).prop_map(|(output, signal)| {
            ResultView::from(TerminalResult::new().with_output(output).with_exit(Exit::Signal(signal)))
        }),
        (text(), text(), text())
            .prop_map(|(path, old, new)| ResultView::from(DiffResult::new(DiffHunk::change(path, old, new)))),
        (text(), 1..u32::MAX, text())
            .prop_map(|(path, at, line)| ResultView::from(ReadResult::new(path, at, u32::MAX, [(at, line)]).unwrap())),
        (text(), 1..u64::MAX, text(), any::<u64>()).prop_map(|(path, at, line, total)| {
            ResultView::from(SearchMatches::new([(path, at, line)], total.max(1)).unwrap())
        }),
        (text(), text(), text()).prop_map(|(url, title, snippet)| {
            ResultView::from(WebSearch::new([WebSource::new(url).with_title(title).with_snippet(snippet)], true))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_is_wider_and_no_command_gets_out(
        title: String, view in any_result(), width in 0..60_usize, most in 0..12_usize,
    ) {
        let terminal = Terminal::plain(width).with_lines(most);
        let content = Content::text(title.as_str());
        let call = GenericCall::new(title.as_str()).with_raw_input(title.as_str()).into();
        let shown = [terminal.call(&call), terminal.result(&call, &view, &DurableResult::failure(&content))];
        for shown in shown {
            for line in shown.lines() {
                prop_assert!(line.width() <= width.max(MIN_WIDTH), "{line:?} at {width}");
            }
            let commands = |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
            prop_assert!(!shown.contains(commands), "{shown:?}");
        }
        let body = terminal.call(&call);
        prop_assert!(body.lines().count() <= most.max(1) + 1, "{body}");
    }
}
