#!/usr/bin/env bash
# Instructions of a whole call, divided by those of the floor, and the allocations that a call makes beyond the floor's.
# Needs valgrind. What a process does once drops out: each number is the difference between two runs.
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(cargo bench -p tool-runtime --bench calls --no-run --message-format=json 2>/dev/null |
    grep -o '"executable":"[^"]*"' | tail -1 | cut -d'"' -f4)
few=5 many=15

instructions() { # case way times
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$@" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
allocations() {
    valgrind --leak-check=no "$binary" "$@" 2>&1 | sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}
each() { # what case way
    echo $((($("$1" "$2" "$3" $many) - $("$1" "$2" "$3" $few)) / (many - few)))
}

printf '%-6s %12s %12s %6s %18s\n' case call floor ratio 'more allocations'
for case in add read grep; do
    call=$(each instructions $case call) floor=$(each instructions $case floor)
    more=$(($(each allocations $case call) - $(each allocations $case floor)))
    printf '%-6s %12d %12d %6s %18d\n' $case "$call" "$floor" "$(awk "BEGIN { printf \"%.2f\", $call / $floor }")" $more
done
