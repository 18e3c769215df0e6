package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.Layout.Team;
import dev.holdfast.bench.flight.PickleWriter.Absent;
import dev.holdfast.bench.flight.PickleWriter.Pair;
import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Hypothesis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast are dumps read and diagnosed? Thousands of ranks with full recorders, the last third of
 * a tensor parallel step missing on one of them.
 */
public final class LargeJob {
  private static final int TENSOR = 8;
  private static final String[] CALLS = {
    "nccl:_all_gather_base", "nccl:_reduce_scatter_base", "nccl:all_reduce"
  };

  private final int ranks;
  private final int entries;
  private final Team world;

  /**
   * What was measured.
   *
   * @param bytes of all dumps
   * @param readSeconds of processor time on one thread, so that others do not count
   * @param analysisSeconds after reading, the quickest of three
   * @param blamed who was
   */
  public record Result(
      int ranks,
      int entries,
      long bytes,
      double readSeconds,
      double analysisSeconds,
      List<Integer> blamed) {}

  private LargeJob(int ranks, int entries) {
    this.ranks = ranks;
    this.entries = entries;
    this.world = new Layout(ranks, 1, 1, 1).teams().getFirst();
  }

  /** Makes the dumps one after the other and reads each at once; only reading is timed. */
  public static Result measure(int ranks, int entries, int culprit) {
    LargeJob job = new LargeJob(ranks, entries);
    Vocabulary vocabulary = new Vocabulary();
    List<Flight> flights = new ArrayList<>();
    long bytes = 0;
    long reading = 0;
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    try {
      for (int rank = 0; rank < ranks; rank++) {
        byte[] dump = PickleWriter.of(job.tree(rank, rank == culprit)).bytes();
        bytes += dump.length;
        long from = clock.getCurrentThreadCpuTime();
        flights.add(FlightReader.read(rank, new ByteArrayInputStream(dump), vocabulary));
        reading += clock.getCurrentThreadCpuTime() - from;
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    Recordings all = Recordings.of(vocabulary, flights, Map.of(), 0);
    long best = Long.MAX_VALUE;
    List<Hypothesis> answer = List.of();
    for (int i = 0; i < 3; i++) {
      long from = System.nanoTime();
      answer = FlightAnalysis.of(all);
      best = Math.min(best, System.nanoTime() - from);
    }
    return new Result(
        ranks, entries, bytes, reading / 1e9, best / 1e9, answer.getFirst().culprits());
  }

  private Map<String, Object> tree(int rank, boolean hangs) {
    int first = rank / TENSOR * TENSOR;
    List<Integer> near = new ArrayList<>();
    for (int i = 0; i < TENSOR; i++) {
      near.add(first + i);
    }
    Team tensor = new Team(1 + rank / TENSOR, "TENSOR", near);
    Map<String, Object> config = new LinkedHashMap<>();
    for (Team team : List.of(world, tensor)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", String.valueOf(team.name()));
      one.put("desc", team.kind());
      one.put("ranks", team.ranks().toString());
      config.put(String.valueOf(team.name()), one);
    }
    long[] count = {1000, 50_000};
    List<Object> list = new ArrayList<>();
    int until = hangs ? entries - 1 : entries;
    for (int i = 0; i < until; i++) {
      boolean all = i % 100 == 99 && i < entries - 1;
      Team team = all ? world : tensor;
      count[all ? 0 : 1]++;
      boolean ended = i < entries - 1;
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("record_id", (long) i);
      entry.put("pg_id", all ? 0 : 1);
      entry.put("process_group", new Pair(String.valueOf(team.name()), team.kind()));
      entry.put("thread_name", "python3");
      entry.put("thread_id", "23456244340032");
      entry.put("collective_seq_id", count[all ? 0 : 1]);
      entry.put("p2p_seq_id", 0);
      entry.put("op_id", count[all ? 0 : 1]);
      entry.put("profiling_name", CALLS[i % CALLS.length]);
      long time = 1_758_609_938_261_281_101L + i * 1_000_003L + rank % 97;
      entry.put("time_created_ns", time);
      List<Object> sizes = List.of(List.of(4096, 1, 5120 + i % 7));
      entry.put("input_sizes", sizes);
      entry.put("input_dtypes", List.of("BFloat16"));
      entry.put("output_sizes", sizes);
      entry.put("output_dtypes", List.of("BFloat16"));
      entry.put("state", ended ? "completed" : "scheduled");
      entry.put("time_discovered_started_ns", Absent.NONE);
      entry.put("time_discovered_completed_ns", ended ? (Object) (time + 500_000) : Absent.NONE);
      entry.put("retired", ended);
      entry.put("timeout_ms", 600_000);
      entry.put("is_p2p", false);
      list.add(entry);
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("version", "2.9");
    tree.put("pg_config", config);
    tree.put("entries", list);
    return tree;
  }
}
