package dev.holdfast.launch.watch;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The processes of one rank and their counters. */
final class SampledRank {
  private static final long OTHERS_EVERY = 4_000_000_000L;
  private static final long THREADS_EVERY = 4_000_000_000L;
  private static final Set<String> WAITS_FOR_CHILD = Set.of("wait4", "waitid", "do_wait");
  private static final int MOST_PROCESSES = 256;
  private static final int MOST_THREADS = 1024;

  /** Below this share of a core a rank seems to do nothing, and is worth a closer look. */
  private static final double IDLE = 0.05;

  private final Path proc;
  private final int rank;
  final long pid;
  private final SampledProcess main;
  private final Map<Long, SampledProcess> others = new LinkedHashMap<>();

  private long othersAt = Long.MIN_VALUE;
  private long threadsAt = Long.MIN_VALUE;
  private boolean stuckThread;
  private double cpuSeconds = -1;
  private long ioBytes = -1;
  private double idleMark;
  private long idleMarkAt = Long.MIN_VALUE;
  private boolean idle;

  SampledRank(Path proc, int rank, long pid) {
    this.proc = proc;
    this.rank = rank;
    this.pid = pid;
    this.main = new SampledProcess(proc, pid);
    main.read();
  }

  long started() {
    return main.started();
  }

  boolean leadsSession() {
    return main.session() == pid;
  }

  boolean has(long process) {
    return process == pid || others.containsKey(process);
  }

  void adopt(long process) {
    if (others.size() < MOST_PROCESSES) {
      others.computeIfAbsent(process, number -> new SampledProcess(proc, number));
    }
  }

  RankSampler.Sample sample(long now) {
    main.read();
    boolean few = others.size() <= 1;
    if (few || othersAt == Long.MIN_VALUE || now - othersAt >= OTHERS_EVERY) {
      othersAt = now;
      others.values().removeIf(process -> !process.readOrClose());
    }
    count();
    char state = main.state();
    boolean alive = state != ProcStat.GONE && state != 'Z';
    lookAtThreads(now, alive);
    String waitsIn = alive && idle && (state == 'S' || state == 'D') ? place(pid) : "";
    if (others.size() == 1 && (WAITS_FOR_CHILD.contains(waitsIn) || main.threads() == 1)) {
      // A shell around the program: what counts is the program.
      Map.Entry<Long, SampledProcess> program = others.entrySet().iterator().next();
      if (state == 'S' && program.getValue().state() == 'T') {
        state = 'T';
      } else if (WAITS_FOR_CHILD.contains(waitsIn)) {
        waitsIn = place(program.getKey());
      }
    }
    boolean stuck = stuckThread || others.values().stream().anyMatch(other -> other.state() == 'D');
    return new RankSampler.Sample(
        rank,
        pid,
        state == 'S' && stuck ? 'D' : state,
        cpuSeconds,
        ioBytes,
        1 + others.size(),
        main.threads(),
        waitsIn);
  }

  private String place(long process) {
    return WaitPlace.of(proc.resolve(Long.toString(process)), others.isEmpty() || process != pid);
  }

  /**
   * What a child used goes over to its parent when it is collected: a moment later, so never less.
   */
  private void count() {
    double cpu = main.cpuSeconds();
    long io = main.ioBytes();
    for (SampledProcess other : others.values()) {
      cpu += Math.max(0, other.cpuSeconds());
      io = io < 0 || other.ioBytes() < 0 ? io : io + other.ioBytes();
    }
    cpuSeconds = Math.max(cpuSeconds, cpu);
    ioBytes = Math.max(ioBytes, io);
  }

  private void lookAtThreads(long now, boolean alive) {
    if (idleMarkAt == Long.MIN_VALUE) {
      idleMarkAt = now;
      idleMark = cpuSeconds;
    }
    double seconds = (now - idleMarkAt) / 1e9;
    if (seconds >= 4) {
      idle = cpuSeconds - idleMark < IDLE * seconds;
      idleMark = cpuSeconds;
      idleMarkAt = now;
    }
    if (!idle || !alive) {
      stuckThread = false;
    } else if (threadsAt == Long.MIN_VALUE || now - threadsAt >= THREADS_EVERY) {
      threadsAt = now;
      stuckThread = anyThreadStuck();
    }
  }

  private boolean anyThreadStuck() {
    Path tasks = proc.resolve(Long.toString(pid)).resolve("task");
    Set<String> names = new HashSet<>(BoundedFile.list(tasks, MOST_THREADS).names());
    for (String thread : names) {
      String stat = BoundedFile.read(tasks.resolve(thread).resolve("stat"), 4096).text().orElse("");
      if (ProcStat.parse(stat).filter(found -> found.state() == 'D').isPresent()) {
        return true;
      }
    }
    return false;
  }

  void close() {
    main.close();
    others.values().forEach(SampledProcess::close);
  }
}
