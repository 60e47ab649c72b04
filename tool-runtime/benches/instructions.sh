#!/usr/bin/env bash
# Instructions of a whole call, and of one whose result is written as JSON too, divided by those of the floor; and the
# allocations that a call makes beyond the floor's.
# Needs valgrind. What a process does once drops out: each number is the difference between two runs.
set -euo pipefail
cd "$(dirname "$0")/../.."

built() { # bench
    cargo bench -p tool-runtime --bench "$1" --no-run --message-format=json 2>/dev/null |
        grep -o '"executable":"[^"]*"' | tail -1 | cut -d'"' -f4
}
few=5 many=15
binary=$(built calls)

instructions() { # case way times
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$@" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
allocations() {
    valgrind --leak-check=no "$binary" "$@" 2>&1 | sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}
each() { # what case way
    echo $((($("$1" "$2" "$3" $many) - $("$1" "$2" "$3" $few)) / (many - few)))
}

ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }
printf '%-6s %12s %12s %12s %6s %6s %18s\n' case call wire floor call wire 'more allocations'
for case in add read grep; do
    call=$(each instructions $case call) wire=$(each instructions $case wire) floor=$(each instructions $case floor)
    more=$(($(each allocations $case call) - $(each allocations $case floor)))
    printf '%-6s %12d %12d %12d %6s %6s %18d\n' $case "$call" "$wire" "$floor" "$(ratio "$call" "$floor")" \
        "$(ratio "$wire" "$floor")" $more
done

# What stands around a body: three layers; two policies and one layer. Divided by the bare call. And a thousand calls at once,
# each in a task, and as one batch: what one of them takes beyond an empty task, divided by the bare call.
binary=$(built dispatch)
each_way() { # what way
    echo $((($("$1" "$2" $many) - $("$1" "$2" $few)) / (many - few)))
}
bare=$(each_way instructions bare) bare_allocations=$(each_way allocations bare)
printf '\n%-10s %12s %6s %18s\n' around call ratio 'more allocations'
for way in layers full; do
    call=$(each_way instructions $way)
    printf '%-10s %12d %6s %18d\n' $way "$call" "$(ratio "$call" "$bare")" $(($(each_way allocations $way) - bare_allocations))
done
few=1 many=2 tasks=$(each_way instructions tasks)
for way in concurrent batch; do
    call=$((($(each_way instructions $way) - tasks) / 1000))
    printf '%-10s %12d %6s\n' $way "$call" "$(ratio "$call" "$bare")"
done

# Building a registry of 1,000 tools, divided by what schemars alone takes to generate the schemas; the same with a first
# list of them as JSON, divided by schemars and serde_json writing the schemas; and a list that was written before, divided by
# a copy of its bytes.
binary=$(built registry) few=1 many=2
instructions_of() { # what
    echo $(($(instructions "$1" $many) - $(instructions "$1" $few)))
}
printf '\n%-15s %12s %12s %6s\n' '1,000 tools' ours floor ratio
for pair in build:schemars publish:write list:copy; do
    ours=$(instructions_of "${pair%:*}") floor=$(instructions_of "${pair#*:}")
    printf '%-15s %12d %12d %6s\n' "${pair%:*}" "$ours" "$floor" "$(ratio "$ours" "$floor")"
done

# Bounding 50 MB of text: allocations and bytes of each way beyond those of a process that does nothing.
binary=$(built bounds)
heap() { # way times
    valgrind --leak-check=no "$binary" "$@" 2>&1 | sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*, \([0-9,]*\) bytes.*/\1 \2/p' | tr -d ,
}
printf '\n%-10s %12s %14s\n' '50 MB' allocations bytes
for way in made cut spilled stream preview; do
    read -r allocations_of_one bytes_of_one <<<"$(heap $way 1)"
    read -r allocations_of_two bytes_of_two <<<"$(heap $way 2)"
    printf '%-10s %12d %14d\n' $way $((allocations_of_two - allocations_of_one)) $((bytes_of_two - bytes_of_one))
done

# A call through a dialect, divided by the same call in the tool's own form; and lowering one tool of 21 properties. The least
# of all is a call that leaves out what a strict one says as null.
binary=$(built dialects) few=5 many=15
own=$(each_way instructions own)
printf '\n%-14s %12s %6s\n' dialect call ratio
for way in own own-left-out identity strict strict-null; do
    call=$(each_way instructions $way)
    printf '%-14s %12d %6s\n' $way "$call" "$(ratio "$call" "$own")"
done
printf '\n%-24s %12s\n' lowering 'one tool'
for dialect in 'OpenAiChat(Strict)' 'OpenAiChat(Lenient)' 'Anthropic(Strict)' 'Gemini(OpenApi)' Ollama; do
    printf '%-24s %12d\n' "$dialect" "$(each_way instructions "$dialect")"
done
