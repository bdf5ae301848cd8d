#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests sweeps on a real Slurm of this machine: munged, slurmctld and several slurmd, ordinary processes in a scratch folder, stopped at the end
# whatever happens. An array measures nano; a task is killed by scancel and put back, a node is drained in the middle and resumed; the result
# has to equal a run of one process cell for cell, and its report.
#
#   scripts/slurm/test_cluster.sh BIN [--short] [--keep FOLDER]
#
# BIN: the folder of the built programs. --short: four tasks on two nodes, and neither the time limit nor the scaling (a test of ctest). --keep:
# leaves logs and results in FOLDER. Needs slurm-wlm and munge (Debian); without them exit code 77. Root becomes `nobody`, as Slurm needs no more.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

skip() { echo "test_cluster: skipped: $*"; exit 77; }
fail() { echo "test_cluster: FAILED: $*" >&2; exit 1; }
said() { echo "$(date +%T) $*"; }
lives() { grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; }

[ $# -ge 1 ] || { sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 2; }
bin=$(cd "$1" && pwd)
shift
short='' keep=''
while [ $# -gt 0 ]; do
  case $1 in
    --short) short=1 ;;
    --keep) keep=$2; shift ;;
    *) fail "$1: expected --short or --keep FOLDER" ;;
  esac
  shift
done
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch squeue scancel scontrol sinfo python3; do
  command -v $tool >/dev/null || skip "no $tool: expected slurm-wlm and munge (apt-get install slurm-wlm munge)"
done
[ -x "$bin/kakeya-sweep" ] || fail "$bin: no kakeya-sweep there"

if [ "$(id -u)" = 0 ] && [ -z "${KAKEYA_CLUSTER_SCRATCH:-}" ]; then
  scratch=$(mktemp --directory --tmpdir kakeya-slurm-XXXXXX)
  chown nobody "$scratch"
  [ -z "$keep" ] || mkdir -p "$keep"
  as_nobody=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups env HOME="$scratch" KAKEYA_CLUSTER_SCRATCH="$scratch")
  if "${as_nobody[@]}" test -x "$bin/kakeya-sweep" -a -r "$root/data/models/nano/model.safetensors" && "${as_nobody[@]}" "$bin/kakeya-sweep" --version >/dev/null 2>&1; then
    code=0
    "${as_nobody[@]}" "$0" "$bin" ${short:+--short} || code=$?
  else
    echo "test_cluster: as root: user nobody cannot run $bin/kakeya-sweep or read $root"
    code=0
    KAKEYA_CLUSTER_SCRATCH=$scratch "$0" "$bin" ${short:+--short} || code=$?
  fi
  [ -z "$keep" ] || cp -r "$scratch/." "$keep"
  rm -rf "$scratch"
  exit $code
fi

scratch=${KAKEYA_CLUSTER_SCRATCH:-$(mktemp --directory --tmpdir kakeya-slurm-XXXXXX)}
chmod 711 "$scratch" # munge's socket has to be within everybody's reach
mkdir -p "$scratch"/{log,state,spool,run}
user=$(id -un)
export SLURM_CONF=$scratch/slurm.conf
nodes=4 tasks=8
[ -z "$short" ] || nodes=2 tasks=4

stop() {
  local code=$? pid file
  set +e
  if [ -s "$scratch/run/slurmctld.pid" ]; then
    scancel --user="$user" 2>/dev/null
    for _ in $(seq 60); do [ -z "$(squeue --noheader 2>/dev/null)" ] && break; sleep 0.25; done
  fi
  for file in "$scratch"/run/slurmd.*.pid "$scratch/run/slurmctld.pid" "$scratch/run/munged.pid"; do
    [ -s "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null
    for _ in $(seq 40); do lives "$pid" || break; sleep 0.25; done
    lives "$pid" && kill -KILL "$pid"
  done
  if [ $code != 0 ] && [ $code != 77 ]; then tail -n 6 "$scratch"/log/*.log "$scratch"/*/slurm/*.log 2>/dev/null; fi
  [ -z "$keep" ] || { mkdir -p "$keep"; cp -r "$scratch/." "$keep"; }
  [ -n "${KAKEYA_CLUSTER_SCRATCH:-}" ] || rm -rf "$scratch"
  exit $code
}
trap stop EXIT
trap 'exit 130' INT TERM

# Ports that nobody has: the controller's, then one a node.
ports=($(python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' $((nodes + 1))))
host=$(hostname -s)
head -c 128 /dev/urandom >"$scratch/munge.key"
chmod 600 "$scratch/munge.key"
{
  cat <<END
ClusterName=scratch
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$scratch/run/munge.socket
SlurmctldPort=${ports[0]}
SlurmctldPidFile=$scratch/run/slurmctld.pid
SlurmdPidFile=$scratch/run/slurmd.%n.pid
SlurmctldLogFile=$scratch/log/slurmctld.log
SlurmdLogFile=$scratch/log/slurmd.%n.log
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool/%n
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=5
END
  for ((i = 0; i < nodes; ++i)); do
    echo "NodeName=d$i NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[$((i + 1))]} CPUs=1 RealMemory=500 State=UNKNOWN"
  done
  echo "PartitionName=all Nodes=d[0-$((nodes - 1))] Default=YES MaxTime=INFINITE State=UP"
} >"$SLURM_CONF"

munged --key-file="$scratch/munge.key" --socket="$scratch/run/munge.socket" --pid-file="$scratch/run/munged.pid" --log-file="$scratch/log/munged.log" \
  --seed-file="$scratch/run/munge.seed" --num-threads=2
slurmctld -c
for ((i = 0; i < nodes; ++i)); do mkdir -p "$scratch/spool/d$i"; slurmd -N "d$i"; done
for _ in $(seq 120); do
  idle=$(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | sort -u | wc -l)
  [ "$idle" = $nodes ] && break
  sleep 0.25
done
[ "$idle" = $nodes ] || fail "$idle of $nodes nodes came up"
said "$(slurmctld -V) as $user: $nodes nodes of one CPU on $(nproc) cores"

cd "$root"
sweep=("$bin/kakeya-sweep" --model nano --text data/text --skip-edge-layers 1 --threads 1)
codecs=(--codec 'e8:q={4,10,22,38}' 'ece8:bits={2,3,4},page=64' 'kivi:b={2,4}' fp8 q4_0 q8_0)
lengths=(--ctx 512 --eval 32 --passages 6)
[ -z "$short" ] || { lengths=(--ctx 384 --eval 16 --passages 4); codecs=(--codec 'e8:q={4,10,22}' 'ece8:bits={2,3},page=64' fp8); }
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
done_in() { "$bin/kakeya-sweep" status "$1" --json 2>/dev/null | field done 2>/dev/null || echo 0; }
cells_done() { # FOLDER N: waits until so many are
  for _ in $(seq 1200); do
    [ "$(done_in "$1")" -ge "$2" ] && return
    sleep 0.1
  done
  fail "$1: $(done_in "$1") cells, expected $2"
}
running() { squeue --noheader --states=RUNNING --jobs="$1" --format='%K %N' "${@:2}" 2>/dev/null | sort -n; } # task, node
ended() {                                                                                                      # JOB SECONDS
  for _ in $(seq $(($2 * 4))); do
    [ -z "$(squeue --noheader --jobs="$1" 2>/dev/null)" ] && return
    sleep 0.25
  done
  squeue
  fail "job $1 did not end"
}
# Slurm starts a task that was put back minutes later. Here it is told to do so in two seconds; in less, a node takes it for the task that it ended.
soon=now+2
put_back() { # JOB_TASK
  for _ in $(seq 80); do
    scontrol requeue "$1" 2>/dev/null && break
    sleep 0.25
  done
  for _ in $(seq 80); do
    [ "$(squeue --noheader --states=PENDING --jobs="$1" --format=%T 2>/dev/null)" = PENDING ] && scontrol update jobid="$1" starttime=$soon 2>/dev/null && return
    sleep 0.25
  done
  fail "task $1 was not put back"
}

said "one process"
"${sweep[@]}" "${lengths[@]}" "${codecs[@]}" --out "$scratch/whole" >"$scratch/log/whole.log"
cells=$(done_in "$scratch/whole")

out=$scratch/array
submitted=$("${sweep[@]}" "${lengths[@]}" "${codecs[@]}" --out "$out" --submit "slurm:tasks=$tasks,time=30,at_once=$nodes" --json)
job=$(field array_job <<<"$submitted") report=$(field report_job <<<"$submitted")
said "submitted: array $job of $tasks tasks, report $report behind it; $cells cells"

cells_done "$out" 2
read -r task node < <(running "$job" | head -1) || fail "no task runs"
scancel "${job}_$task"
said "scancel ${job}_$task on $node, with $(done_in "$out") of $cells cells done"
for _ in $(seq 80); do [ -z "$(squeue --noheader --states=RUNNING,COMPLETING --jobs="${job}_$task" 2>/dev/null)" ] && break; sleep 0.25; done
before=$(cat "$out"/samples."$task"-of-"$tasks".jsonl 2>/dev/null | wc -l)
put_back "${job}_$task"
said "requeued ${job}_$task, with $before of its cells done"

cells_done "$out" $((cells / 4))
read -r task drained < <(running "$job" | tail -1) || { task='' drained=d1; } # its task, where one runs
scontrol update nodename="$drained" state=drain reason=test
said "drained $drained, with $(done_in "$out") of $cells cells done${task:+; task ${job}_$task runs there and is put back}"
[ -z "$task" ] || put_back "${job}_$task"
requeues=$((1 + (${#task} > 0)))
cells_done "$out" $((cells / 2))
[ -z "$(running "$job" --nodelist="$drained")" ] || fail "a task runs on $drained, which is drained"
scontrol update nodename="$drained" state=resume
said "resumed $drained, with $(done_in "$out") of $cells cells done"

"$bin/kakeya-sweep" status "$out"
ended "$job" 300
ended "$report" 60
said "array and report have ended"
"$bin/kakeya-sweep" status "$out"
[ ! -e "$out/references" ] || fail "$out/references: expected none when no cell is missing"
[ -z "$(find "$out" -name '.writer*' -o -name '.plan_writer*')" ] || fail "$out: a lock was left there"
compared=$(python3 scripts/slurm/compare_cells.py "$scratch/whole" "$out") || fail "array against one process: $compared"
said "array against one process: $compared"
[ -s "$out/report/report.md" ] || fail "$out/report: the report job wrote none"
mkdir -p "$scratch/reports/"{one,two}
for pair in "whole one" "array two"; do # of folders of one name, as reports say it
  read -r from to <<<"$pair"
  ln -s "$scratch/$from" "$scratch/reports/$to/sweep"
  "$bin/kakeya-report" "$scratch/reports/$to/sweep" --out "$scratch/reports/$to/report" --no-charts >/dev/null
done
numbers() { grep -v 'seconds\|us_per' "$1/report/results.csv"; }
cmp <(numbers "$scratch/reports/one") <(numbers "$scratch/reports/two") || fail "the reports differ"
said "reports equal: $(numbers "$scratch/reports/one" | wc -l) lines of results.csv"
restarts=$(grep -h '^task .* start ' "$out"/slurm/*_*.log | grep -vc ', start 1,' || true)
[ "$restarts" = $requeues ] || fail "$restarts restarts in the logs, expected $requeues"

if [ -z "$short" ]; then
  # A time limit: told beforehand, the task finishes its cell, puts itself back, and goes on.
  out=$scratch/limited
  long=(--ctx 1024 --passages 6 --mode inforward,prefix)
  job=$("${sweep[@]}" "${long[@]}" "${codecs[@]}" --out "$out" --submit slurm:tasks=1,time=1,grace=40 --json | field array_job)
  limited=0
  for _ in $(seq 1200); do
    state=$(squeue --noheader --jobs="$job" --format=%T 2>/dev/null) || true
    [ -n "$state" ] || break
    if [ "$state" = PENDING ] && grep -q 'goes back into the queue' "$out"/slurm/*_1.log 2>/dev/null; then
      sleep 1
      scontrol update jobid="${job}_1" starttime=$soon 2>/dev/null || true
      sleep 3
    fi
    sleep 0.25
  done
  limited=$(grep -c 'goes back into the queue' "$out"/slurm/*_1.log || true)
  [ "$limited" -ge 1 ] || fail "the task met no time limit: expected that it was put back"
  "${sweep[@]}" "${long[@]}" "${codecs[@]}" --out "$scratch/unlimited" >/dev/null
  compared=$(python3 scripts/slurm/compare_cells.py "$scratch/unlimited" "$out") || fail "time limit: $compared"
  said "time limit of a minute: put back $limited times; $compared"

  for workers in 1 2 4; do
    out=$scratch/workers.$workers
    began=$(date +%s.%N)
    ids=()
    for ((i = 1; i <= workers; ++i)); do
      "${sweep[@]}" "${lengths[@]}" "${codecs[@]}" --out "$out" --shard "$i/$workers" >/dev/null &
      ids+=($!)
    done
    for id in "${ids[@]}"; do wait "$id"; done
    python3 -c 'import sys; began, ended, cells, workers = map(float, sys.argv[1:])
print(f"scaling: {workers:.0f} processes of one thread: {cells / (ended - began):.2f} cells/s, {cells:.0f} cells in {ended - began:.1f} s")' \
      "$began" "$(date +%s.%N)" "$cells" $workers
    python3 scripts/slurm/compare_cells.py "$scratch/whole" "$out" >/dev/null || fail "$workers workers: other cells"
  done
  said "on $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
fi
echo "test_cluster: passed: $tasks tasks, 1 killed by scancel, $requeues put back, 1 node drained and resumed; $cells cells, 0 lost or doubled, report equal"
