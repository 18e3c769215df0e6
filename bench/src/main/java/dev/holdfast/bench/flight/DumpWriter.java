package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.Layout.Team;
import dev.holdfast.bench.flight.PickleWriter.Absent;
import dev.holdfast.bench.flight.PickleWriter.Pair;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the flight recorder of a rank would have held.
 *
 * @param timing whether starts on the device are recorded
 * @param onlyActive whether ended calls are left out
 * @param room how many calls the recorder keeps
 * @param until when the dump is taken; what happens later is not in it
 * @param skew how far the rank's clock is off
 */
record DumpWriter(
    Rehearsal job,
    List<Team> teams,
    boolean timing,
    boolean onlyActive,
    int room,
    long until,
    long[] skew) {
  private static final long EPOCH = 1_758_609_938_000_000_000L;

  Map<String, Object> tree(int rank) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("version", "2.9");
    Map<String, Object> config = new LinkedHashMap<>();
    Map<String, Object> status = new LinkedHashMap<>();
    Map<Integer, Long> numbers = new LinkedHashMap<>();
    long number = 0;
    for (Team team : teams) {
      if (team.ranks().contains(rank)) {
        numbers.put(team.name(), number);
        config.put(
            String.valueOf(team.name()),
            map(
                "name",
                String.valueOf(team.name()),
                "desc",
                team.kind() + "_GROUP",
                "ranks",
                team.ranks().toString()));
        number += 1 + team.name() % 2;
      }
    }
    tree.put("pg_config", config);
    tree.put("nccl_version", "2.27.3");
    List<Object> entries = entries(rank, numbers, status);
    numbers.forEach((_, own) -> status.putIfAbsent(String.valueOf(own), status(-1, -1)));
    tree.put("pg_status", status);
    tree.put("entries", entries);
    return tree;
  }

  private static Map<String, Object> status(long given, long ended) {
    return map(
        "last_enqueued_collective",
        given,
        "last_started_collective",
        -1L,
        "last_completed_collective",
        ended);
  }

  private List<Object> entries(int rank, Map<Integer, Long> numbers, Map<String, Object> status) {
    List<Object> entries = new ArrayList<>();
    Map<Integer, long[]> counts = new LinkedHashMap<>();
    List<Step> steps = job.steps.get(rank);
    for (int call = 0; call < steps.size(); call++) {
      if (job.given[rank][call] == Rehearsal.NEVER || job.given[rank][call] > until) {
        break;
      }
      Step step = steps.get(call);
      long[] count = counts.computeIfAbsent(step.team().name(), _ -> new long[2]);
      count[step.transfer() ? 1 : 0]++;
      boolean ended = job.ended[rank][call] <= until;
      Long own = numbers.get(step.team().name());
      long last = count[step.transfer() ? 1 : 0];
      String place = String.valueOf(own);
      long done =
          ended
              ? last
              : status.get(place) instanceof Map<?, ?> before
                      && before.get("last_completed_collective") instanceof Long number
                  ? number
                  : -1;
      status.put(place, status(last, done));
      if (!(onlyActive && ended)) {
        entries.add(entry(rank, call, step, count, own == null ? 0 : own, ended));
      }
    }
    return entries.size() > room ? entries.subList(entries.size() - room, entries.size()) : entries;
  }

  private Map<String, Object> entry(
      int rank, int call, Step step, long[] count, long own, boolean ended) {
    long begun = job.begun[rank][call];
    boolean started = timing && begun <= until;
    return map(
        "record_id",
        (long) call + 1000,
        "pg_id",
        own,
        "process_group",
        new Pair(String.valueOf(step.team().name()), step.team().kind() + "_GROUP"),
        "thread_name",
        "python3",
        "collective_seq_id",
        count[0],
        "p2p_seq_id",
        count[1],
        "op_id",
        count[0] + count[1],
        "profiling_name",
        step.name(rank),
        "time_created_ns",
        EPOCH + skew[rank] + job.given[rank][call],
        "input_sizes",
        List.of(step.in()),
        "input_dtypes",
        List.of(step.type()),
        "output_sizes",
        List.of(step.out()),
        "output_dtypes",
        List.of(step.type()),
        "state",
        ended ? "completed" : started ? "started" : "scheduled",
        "time_discovered_started_ns",
        started ? (Object) (EPOCH + skew[rank] + begun + late(call)) : Absent.NONE,
        "time_discovered_completed_ns",
        ended ? (Object) (EPOCH + skew[rank] + job.ended[rank][call] + late(call)) : Absent.NONE,
        "retired",
        ended,
        "timeout_ms",
        600_000L,
        "is_p2p",
        step.transfer());
  }

  /** The watchdog looks only now and then. */
  private static long late(int call) {
    return (call * 7919L % 1000) * 1000;
  }

  private static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i].toString(), pairs[i + 1]);
    }
    return map;
  }
}
