package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A training job as a launcher sees it, second by second, drawn from a seed: steps with jitter and
 * all that makes a healthy job look hung for a while. It knows nothing of the detector; it only
 * produces what one would read from {@code /proc}, the beat files and the store.
 *
 * <p>What a healthy job does here: start-up and compilation of up to 20 minutes, of which some
 * ranks are done minutes before others; evaluations (all ranks, unevenly, or rank 0 alone);
 * checkpoints with and without a name, written by one or all; file systems that stall for up to 15
 * minutes, with processes stuck in the kernel or in a read; data loaders that hiccup on one rank
 * while it sits in a lock or a poll, or tries again with sleeps in between; phases nobody named;
 * suspension of the job; a launcher that could not look; background writers. Ranks that wait either
 * burn a core or sleep, by job; their devices, where they have some, run collectives meanwhile or
 * stand still.
 */
final class TraceSimulator {
  /** What a rank does in a stretch of time. */
  enum Doing {
    STEPS,
    WORKS,
    WORKS_WITH_IO,
    WAITS,
    KERNEL,
    READS,
    LOCKED,
    POLLS,
    RETRIES,
    SLEEPS,
    SUSPENDED
  }

  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  final int ranks;
  private final SplittableRandom random;
  private final SplittableRandom chance;
  private final boolean hasDevices;
  private final boolean waitsOnDevice;
  private final double idleShare;
  private boolean worksOnDevice;
  private boolean leftOnDevice;
  private final long[] memory = new long[16];
  private final boolean burnsWhenWaiting;
  private final boolean beats;
  private final int logsEvery;
  private final boolean allLog;
  private final boolean namesPhases;
  private final boolean chatter;
  private final double stepSeconds;
  private final double jitter;
  private final double computeShare;
  private final double workCores;
  private final long ioPerStep;

  private final Doing[] doing;
  private final int[] until;
  private final double[] cpu;
  private final long[] io;
  private final long[] output;
  private final long[] told;
  private final String[] phase;
  private final String[] place;
  private final long[] pids;

  private long second;
  private int inStretch;
  private int stretch;
  private boolean stepping;
  private boolean started;
  private boolean frozen;
  private double untilStep;
  private double thisStep = 1;
  private long step;
  private long checkpointAt;
  private long evaluationAt;
  double longestStep;

  TraceSimulator(long seed) {
    random = new SplittableRandom(seed);
    // A source of its own, so that what a seed stands for does not depend on devices.
    chance = new SplittableRandom(~seed);
    hasDevices = chance.nextDouble() < 0.6;
    waitsOnDevice = chance.nextDouble() < 0.7;
    idleShare = chance.nextBoolean() ? 0 : chance.nextDouble(0.3);
    ranks = 2 + random.nextInt(5);
    burnsWhenWaiting = random.nextBoolean();
    beats = random.nextDouble() < 0.65;
    logsEvery = random.nextDouble() < 0.25 ? 0 : 1 + random.nextInt(50);
    allLog = random.nextBoolean();
    namesPhases = random.nextBoolean();
    chatter = random.nextDouble() < 0.15;
    stepSeconds = Math.exp(random.nextDouble(Math.log(0.1), Math.log(45)));
    jitter = random.nextDouble(0.01, 0.3);
    computeShare = random.nextDouble(0.4, 0.97);
    workCores = random.nextDouble(1, 6);
    ioPerStep = random.nextDouble() < 0.4 ? 0 : 1L << random.nextInt(10, 26);
    doing = new Doing[ranks];
    until = new int[ranks];
    cpu = new double[ranks];
    io = new long[ranks];
    output = new long[ranks];
    told = new long[ranks];
    phase = new String[ranks];
    place = new String[ranks];
    pids = new long[ranks];
    for (int i = 0; i < ranks; i++) {
      phase[i] = "";
      place[i] = "";
      pids[i] = 4000 + i;
    }
    checkpointAt = random.nextInt(20 * MINUTE, 2 * HOUR);
    evaluationAt = random.nextInt(HOUR, 6 * HOUR);
    startUp();
  }

  boolean burnsWhenWaiting() {
    return burnsWhenWaiting;
  }

  /** Whether a side thread of rank 0 writes a line now and then, whatever the rank does. */
  boolean chatters() {
    return chatter;
  }

  /** Whether the devices of ranks that wait are busy with it. */
  boolean waitsOnDevice() {
    return waitsOnDevice;
  }

  /** Whether a rank that hangs leaves its device busy, in a collective say. */
  boolean leavesDeviceBusy() {
    return hasDevices && leftOnDevice;
  }

  boolean beats() {
    return beats;
  }

  long second() {
    return second;
  }

  boolean stepping() {
    return stepping;
  }

  /** From now on this rank does only this, and the others wait for it, for ever. */
  void hang(List<Integer> culprits, Doing how, boolean behind, boolean othersAtStore) {
    all(Doing.WAITS);
    frozen = true;
    stepping = false;
    for (int culprit : culprits) {
      doing[culprit] = how;
      until[culprit] = Integer.MAX_VALUE;
    }
    for (int i = 0; i < ranks; i++) {
      told[i] = step;
    }
    if (behind) {
      step++;
      for (int i = 0; i < ranks; i++) {
        if (beats && !culprits.contains(i)) {
          told[i] = step;
        } else if (beats) {
          told[i] = step - 1;
        }
      }
    }
    for (int i = 0; i < ranks; i++) {
      phase[i] = "";
      place[i] = "";
      keys[i] = othersAtStore && !culprits.contains(i) ? "barrier/3" : "";
    }
  }

  private final String[] keys = new String[16];

  /** Lives on for a second. */
  List<RankActivity> next() {
    second++;
    if (!frozen) {
      if (inStretch >= stretch) {
        nextStretch();
      }
      inStretch++;
      if (stepping) {
        advanceSteps();
      }
    }
    List<RankActivity> activities = new ArrayList<>(ranks);
    for (int i = 0; i < ranks; i++) {
      activities.add(rank(i));
    }
    return activities;
  }

  /** Seconds nobody looked before this look; the job went on. */
  int unseen() {
    return !frozen && random.nextInt(200_000) == 0 ? random.nextInt(6, HOUR) : 0;
  }

  private RankActivity rank(int i) {
    Doing now = frozen || inStretch <= until[i] ? doing[i] : Doing.WAITS;
    char state = 'S';
    String where = "";
    double cores = 0.004 * random.nextDouble();
    switch (now) {
      case STEPS -> {
        boolean computes = untilStep > thisStep * (1 - computeShare) || thisStep < 2;
        cores =
            computes ? workCores * (thisStep < 2 ? computeShare : 1) : burnsWhenWaiting ? 1 : cores;
        state = cores > 0.5 ? 'R' : 'S';
        where = cores > 0.5 ? "" : "futex";
      }
      case WORKS -> {
        cores = 1 + 0.02 * random.nextDouble();
        state = 'R';
      }
      case WORKS_WITH_IO -> {
        cores = random.nextDouble(0.2, 2);
        state = random.nextBoolean() ? 'R' : 'D';
        io[i] += random.nextInt(1 << 14, 1 << 24);
      }
      case WAITS -> {
        cores = burnsWhenWaiting ? 0.99 + 0.01 * random.nextDouble() : cores;
        state = burnsWhenWaiting ? 'R' : 'S';
        where = burnsWhenWaiting ? "" : "futex";
      }
      case KERNEL -> {
        state = 'D';
        where = "read";
      }
      case READS -> where = "read";
      case LOCKED -> where = "futex";
      case POLLS -> where = "poll";
      case RETRIES -> where = (second / 3) % 2 == 0 ? "clock_nanosleep" : "poll";
      case SLEEPS -> where = "clock_nanosleep";
      case SUSPENDED -> state = 'T';
    }
    cpu[i] += cores;
    if (chatter && i == 0 && state != 'T' && second % 40 == 0) {
      io[i] += 700;
      output[i] += 60;
    }
    String key = keys[i] == null ? "" : keys[i];
    return new RankActivity(
            i,
            pids[i],
            state,
            cpu[i],
            io[i],
            output[i],
            beats ? told[i] - 1 : -1,
            beats ? told[i] : 0,
            phase[i],
            key,
            where)
        .with(new DeviceLoad("", device(i, now), memory[i]), -1, List.of());
  }

  /**
   * What a device shows: nothing in jobs without one; collectives that wait at 100 percent, or
   * waits on the CPU's side at 0; what is left on it when its rank is caught elsewhere.
   */
  private int device(int i, Doing now) {
    if (!hasDevices) {
      return -1;
    }
    return switch (now) {
      case STEPS -> chance.nextDouble() < idleShare ? 0 : 60 + chance.nextInt(41);
      case WORKS -> worksOnDevice ? 50 + chance.nextInt(51) : 0;
      case WORKS_WITH_IO -> {
        memory[i] += chance.nextInt(4) == 0 ? 16 << 20 : 0;
        yield chance.nextInt(60);
      }
      case WAITS -> waitsOnDevice ? 100 : 0;
      case SUSPENDED -> 0;
      default -> leftOnDevice ? 100 : 0;
    };
  }

  private void advanceSteps() {
    untilStep -= 1;
    while (untilStep <= 0) {
      step++;
      thisStep =
          stepSeconds * Math.exp(jitter * (random.nextDouble() + random.nextDouble() - 1) * 2);
      if (random.nextInt(300) == 0) {
        thisStep *= random.nextDouble(1, 2.5);
      }
      longestStep = Math.max(longestStep, thisStep);
      untilStep += thisStep;
      for (int i = 0; i < ranks; i++) {
        io[i] += ioPerStep;
        if (logsEvery > 0 && step % logsEvery == 0 && (i == 0 || allLog)) {
          output[i] += 80;
        }
      }
    }
    for (int i = 0; i < ranks; i++) {
      // Some ranks are read a moment before they tell.
      told[i] = told[i] < step && random.nextInt(6) == 0 && inStretch < stretch ? step - 1 : step;
    }
  }

  private void all(Doing what) {
    for (int i = 0; i < ranks; i++) {
      doing[i] = what;
      until[i] = stretch;
    }
  }

  private void begin(int seconds, Doing what) {
    stretch = Math.max(1, seconds);
    inStretch = 0;
    stepping = what == Doing.STEPS;
    worksOnDevice = chance.nextBoolean();
    leftOnDevice = chance.nextInt(4) == 0;
    all(what);
    for (int i = 0; i < ranks; i++) {
      phase[i] = "";
    }
  }

  /** The ranks are done at different times, the last one at the end. */
  private void unevenly(int spread) {
    int last = random.nextInt(ranks);
    for (int i = 0; i < ranks; i++) {
      until[i] = i == last ? stretch : Math.max(1, stretch - random.nextInt(Math.max(1, spread)));
    }
  }

  private void named(String name, int rank) {
    if (namesPhases && beats) {
      for (int i = 0; i < ranks; i++) {
        phase[i] = rank < 0 || rank == i ? name : "";
      }
    }
  }

  private void startUp() {
    begin(random.nextInt(20, 8 * MINUTE), Doing.WORKS_WITH_IO);
    unevenly(3 * MINUTE);
  }

  private void nextStretch() {
    if (!started) {
      started = true;
      begin(random.nextInt(10, 20 * MINUTE), Doing.WORKS);
      unevenly(4 * MINUTE);
      return;
    }
    if (!stepping) {
      untilStep = stepSeconds;
      begin(random.nextInt(3 * MINUTE, 40 * MINUTE), Doing.STEPS);
      return;
    }
    if (second >= checkpointAt) {
      checkpointAt = second + random.nextInt(20 * MINUTE, 3 * HOUR);
      checkpoint();
    } else if (second >= evaluationAt) {
      evaluationAt = second + random.nextInt(HOUR, 8 * HOUR);
      evaluation();
    } else {
      disturbance();
    }
  }

  private void checkpoint() {
    boolean one = random.nextBoolean();
    begin(random.nextInt(5, 4 * MINUTE), one ? Doing.WAITS : Doing.WORKS_WITH_IO);
    doing[0] = random.nextInt(4) == 0 ? Doing.KERNEL : Doing.WORKS_WITH_IO;
    if (random.nextInt(10) == 0) {
      // The file system stalls in the middle of it.
      doing[0] = random.nextBoolean() ? Doing.KERNEL : Doing.READS;
      stretch = random.nextInt(MINUTE, 15 * MINUTE);
      all(one ? Doing.WAITS : doing[0]);
      doing[0] = doing[0] == Doing.WAITS ? Doing.KERNEL : doing[0];
    }
    until[0] = stretch;
    named("checkpoint", one && random.nextBoolean() ? 0 : -1);
  }

  private void evaluation() {
    switch (random.nextInt(3)) {
      case 0 -> {
        begin(random.nextInt(MINUTE, 18 * MINUTE), Doing.WORKS);
        unevenly(4 * MINUTE);
      }
      case 1 -> {
        begin(random.nextInt(MINUTE, 18 * MINUTE), Doing.WAITS);
        doing[0] = Doing.WORKS;
      }
      default -> {
        begin(random.nextInt(MINUTE, 50 * MINUTE), Doing.WORKS_WITH_IO);
        unevenly(4 * MINUTE);
      }
    }
    named("evaluation", -1);
  }

  private void disturbance() {
    int rank = random.nextInt(ranks);
    switch (random.nextInt(12)) {
      case 0 -> {
        // A compilation for a new shape.
        begin(random.nextInt(30, 20 * MINUTE), Doing.WORKS);
        unevenly(4 * MINUTE);
      }
      case 1 -> begin(random.nextInt(30, 15 * MINUTE), Doing.KERNEL);
      case 2 -> {
        only(rank, random.nextInt(30, 15 * MINUTE), Doing.KERNEL);
        tellFirst(rank, true);
      }
      case 3 -> {
        only(rank, random.nextInt(30, 15 * MINUTE), Doing.READS);
        tellFirst(rank, true);
      }
      case 4 -> {
        only(rank, random.nextInt(5, 4 * MINUTE), Doing.POLLS);
        tellFirst(rank, true);
      }
      case 5 -> {
        boolean othersTell = random.nextBoolean();
        only(rank, random.nextInt(5, othersTell ? 105 : 4 * MINUTE), Doing.LOCKED);
        tellFirst(rank, othersTell);
      }
      case 6 -> only(rank, random.nextInt(5, 3 * MINUTE), Doing.RETRIES);
      case 7 -> only(rank, random.nextInt(2, 22), Doing.SLEEPS);
      case 8 -> begin(random.nextInt(30, 18 * MINUTE), Doing.POLLS);
      case 9 -> begin(random.nextInt(30, 18 * MINUTE), Doing.LOCKED);
      case 10 -> only(rank, random.nextInt(30, 18 * MINUTE), Doing.WORKS);
      default -> begin(random.nextInt(10, 2 * HOUR), Doing.SUSPENDED);
    }
  }

  /** A program that tells of a step when it has its data: whose loader stalls is behind. */
  private void tellFirst(int rank, boolean othersTell) {
    if (othersTell && random.nextBoolean()) {
      step++;
      for (int i = 0; i < ranks; i++) {
        told[i] = i == rank ? step - 1 : step;
      }
    }
  }

  private void only(int rank, int seconds, Doing what) {
    begin(seconds, Doing.WAITS);
    doing[rank] = what;
  }
}
