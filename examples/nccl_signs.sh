#!/bin/sh
# What does the launcher see of the GPUs and of the flight recorder? On a machine with NVIDIA GPUs and a torch with NCCL:
#
#     examples/nccl_signs.sh [RANKS]        default: one rank for each GPU; takes about two minutes
#
# Exit 0 when load and memory of a device, a record and its numbers were seen, and torch warned of no old variable.

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 3
ranks=${1:-gpu}
"$here/../holdfast" run --nproc-per-node "$ranks" --hang 50s --max-restarts 0 --log-dir "$folder" \
    "$here/nccl_signs.py" >"$folder/said" 2>&1 &
launcher=$!
trap 'kill "$launcher" 2>/dev/null; wait "$launcher"' EXIT
found() { find "$folder" -name "$1" | grep -q .; }
for _ in $(seq 180); do
    "$here/../holdfast" status --format json >"$folder/status" 2>/dev/null
    if grep -q '"devicePercent": *[1-9]' "$folder/status"; then cp "$folder/status" "$folder/busy"; fi
    if found hang.json || ! kill -0 "$launcher" 2>/dev/null; then break; fi
    sleep 1
done
"$here/../holdfast" status
cat "$folder/said"
cat "$(find "$folder" -name hang.txt | head -n 1)" 2>/dev/null
bad=0
check() {
    what=$1
    shift
    if "$@"; then echo "ok       $what"; else
        echo "MISSING  $what"
        bad=1
    fi
}
# shellcheck disable=SC2317 # called through check
numbers() { grep -q '"enqueued": *[0-9]' "$(find "$folder" -name hang.json | head -n 1)"; }
# shellcheck disable=SC2317
quiet() { ! grep -rqi 'TRACE_BUFFER_SIZE.*deprecated' "$folder"; }
check "device load while it worked" test -f "$folder/busy"
check "device memory" grep -q '"deviceBytes": *[1-9]' "$folder/status"
check "a pipe of the flight recorder" found "*.pipe"
check "a record" found "nccl_trace_rank_*"
check "its numbers" numbers
check "no warning about TRACE_BUFFER_SIZE" quiet
echo "all of it is in $folder"
exit $bad
