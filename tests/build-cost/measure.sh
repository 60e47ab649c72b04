#!/usr/bin/env bash
# What an author's build pays for the framework, against a floor: the same types with serde's and schemars' derives alone.
#
#     tests/build-cost/measure.sh             # everything: about half an hour on two cores
#     tests/build-cost/measure.sh deps        # or some of: deps debug touch release
#     TOOLS=100 ROUNDS=1 tests/build-cost/measure.sh debug
#
# It makes two crates for each number of tools (default: 100 and 200) in a directory of its own, which it leaves for those
# who want to look: `ours`, as an author writes it, and `floor`, which has the same fields, bodies and texts for the model,
# and whose `main` reads, writes and publishes each type, so that its code is made too.
#
# Numbers are CPU seconds, user and system, of all processes of a build, the least of ROUNDS (default: 3): what else the
# machine does changes them little, and the time by the clock a lot. Both crates are built in turn, so that what still
# disturbs them disturbs both.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
work=${BUILD_COST_DIR:-${CARGO_TARGET_DIR:-$repository/target}/build-cost}
rounds=${ROUNDS:-3}
numbers=${TOOLS:-100 200}
what=${*:-deps debug touch release}
unset CARGO_TARGET_DIR
mkdir -p "$work"

crate() { # directory, dependencies on standard input
    mkdir -p "$1/src"
    { printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[profile.release]\nstrip = true\n\n' \
        "$(basename "$1")"; printf '[dependencies]\n'; cat; } >"$1/Cargo.toml"
    # The same versions as here; cargo drops what the crate does not need.
    cp "$repository/Cargo.lock" "$1/Cargo.lock"
}
ours() { crate "$1" <<<"tool-runtime = { path = \"$repository/tool-runtime\" }"; }
floor() { crate "$1" <<<$'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\nschemars = "1"'; }

seconds() { # directory, arguments of cargo: CPU seconds of a build
    local log=$work/build.log times
    times=$({ TIMEFORMAT='%U %S'; time (cd "$1" && shift && cargo build --quiet "$@" >"$log" 2>&1); } 2>&1) ||
        { cat "$log" >&2; return 1; }
    awk '{ printf "%.2f", $1 + $2 }' <<<"$times"
}
least() { awk -v a="${1:-}" -v b="$2" 'BEGIN { print (a == "" || b < a) ? b : a }'; }
row() { # name, ours, floor, goal
    awk -v name="$1" -v a="$2" -v b="$3" -v goal="$4" \
        'BEGIN { printf "%-30s %10s %10s %6.2f   at most %s\n", name, a, b, a / b, goal }'
}
# Measures a step for both crates in turn: name, goal, function of a directory that prints a number.
compare() {
    local name=$1 goal=$2 step=$3 prefix=$4 a="" b="" round
    for round in $(seq "$rounds"); do
        a=$(least "$a" "$("$step" "$work/$prefix/ours")")
        b=$(least "$b" "$("$step" "$work/$prefix/floor")")
    done
    row "$name" "$a" "$b" "$goal"
}

cold() { rm -rf "$1/target" && seconds "$1"; }
# What was compiled of the crate itself goes, the incremental cache too; the dependencies stay.
drop_own() { (cd "$1" && cargo clean --quiet -p "$(basename "$1")" "${@:2}"); }
clean() { drop_own "$1" && seconds "$1"; }
# A body changes, as it does all day long.
touch_one() {
    local file=$1/src/tool_7.rs
    sed -i -E "s/let step = [0-9]+;/let step = $RANDOM$RANDOM;/" "$file"
    seconds "$1"
}
release() { drop_own "$1" --release && seconds "$1" --release; }
size() { stat -c %s "$1/target/release/$(basename "$1")"; }

printf '%-30s %10s %10s %6s\n' "" ours floor ratio
for step in $what; do
    if [ "$step" = deps ]; then
        ours "$work/deps/ours" && floor "$work/deps/floor"
        touch "$work/deps/ours/src/lib.rs" "$work/deps/floor/src/lib.rs"
        compare "dependencies, cold" 1.4 cold deps
    fi
done
for number in $numbers; do
    ours "$work/$number/ours" && floor "$work/$number/floor"
    python3 "$here/generate.py" "$number" "$work/$number"
    for step in $what; do
        for kind in ours floor; do
            case $step in
                debug | touch) seconds "$work/$number/$kind" >/dev/null ;;
                release) seconds "$work/$number/$kind" --release >/dev/null ;;
            esac
        done
        case $step in
            debug) compare "$number tools, clean" 1.1 clean "$number" ;;
            touch) compare "$number tools, one changed" 1.1 touch_one "$number" ;;
            release)
                compare "$number tools, release" 1.2 release "$number"
                row "$number tools, stripped bytes" "$(size "$work/$number/ours")" "$(size "$work/$number/floor")" 1.3
                ;;
        esac
    done
done
