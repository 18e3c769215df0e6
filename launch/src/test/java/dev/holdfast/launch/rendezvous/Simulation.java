package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One random history of a job: launchers whose clocks run apart, messages lost, late and out of
 * order, links cut in one direction or both, launchers and machines that crash and come back, ranks
 * that fail, ranks that would not die. Everything follows from the seed. What must never be is
 * checked at each step.
 */
final class Simulation {
  private static final long TICK = 250;
  private static final Timings TIMINGS =
      new Timings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2));

  private record Event(long at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A machine: its launcher, its ranks, and the supervisor that holds them. */
  private final class Machine {
    final int index;
    final double rate = 0.95 + random.nextDouble() * 0.1;
    long incarnation;
    long bootedAt;
    Member member;
    FakeJudge judge = new FakeJudge(1_000, withoutCulprit);
    @Nullable Node launcher;
    @Nullable Memory memory;
    boolean failed;
    boolean first;
    int life;
    int ranksOf = -1;
    @Nullable Assignment assignment;
    double leaseUntil = Double.MAX_VALUE;
    int exitCode = -1;

    Machine(int index) {
      this.index = index;
      member = new Member("n" + index, 0, "h" + index, 1, 1, 0);
    }

    long clock() {
      return (long) ((now - bootedAt) * rate);
    }

    void boot(boolean leadsFirst) {
      life++;
      first = leadsFirst;
      memory = null;
      judge = new FakeJudge(1_000, withoutCulprit);
      failed = false;
      incarnation = 1_000 + now;
      bootedAt = now - random.nextLong(5_000);
      member = new Member("n" + index, incarnation, "h" + index, 1, 1, 0);
      Setup setup = new Setup("j", member, min, max, spares, "h0", 1, first, "", Set.of(), TIMINGS);
      launcher =
          new Node(setup, arbitrated, judge, new SplittableRandom(random.nextLong()), clock());
      int mine = life;
      after(random.nextLong(TICK), () -> tick(mine));
    }

    /** The launcher's process is started again while its ranks are there, or went meanwhile. */
    void resume() {
      Memory kept = Memory.of(java.util.Objects.requireNonNull(memory).text());
      Setup setup = new Setup("j", member, min, max, spares, "h0", 1, first, "", Set.of(), TIMINGS);
      launcher =
          new Node(
              setup,
              arbitrated,
              judge,
              new SplittableRandom(random.nextLong()),
              clock(),
              kept,
              random.nextInt(20) != 0);
      int mine = life;
      after(random.nextLong(20), () -> tick(mine));
      if (ranksOf < 0) {
        input(new Input.Stopped(kept.attempt()));
      } else if (failed) {
        input(new Input.Exited(failure(this)));
      }
    }

    void tick(int mine) {
      if (mine == life && launcher != null) {
        input(new Input.Tick());
        after(TICK, () -> tick(mine));
      }
    }

    void input(Input input) {
      Node node = launcher;
      if (node != null) {
        List<Effect> effects = node.on(input, clock());
        memory = node.memory();
        // Some do not live to do what follows from it.
        if (chaos && mayCrash && random.nextInt(400) == 0) {
          crashWatcher(this);
          return;
        }
        for (Effect effect : effects) {
          perform(this, effect);
        }
      }
    }

    void ranksGone(int attempt) {
      if (ranksOf == attempt) {
        ranksOf = -1;
        input(new Input.Stopped(attempt));
      }
    }

    /** The supervisor: ends ranks whose lease ran out, whatever became of the launcher. */
    void checkLease() {
      if (ranksOf >= 0 && clock() >= leaseUntil) {
        ranksGone(ranksOf);
      }
    }
  }

  final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Machine> machines = new ArrayList<>();
  private final int min;
  private final int max;
  private final int spares;
  private final int mostLost;
  private final boolean withoutCulprit;
  private final boolean[][] cut;
  private final Map<String, String> leaders = new HashMap<>();
  private final Map<Integer, Assignment> assignments = new HashMap<>();
  private final Set<Integer> lost = new HashSet<>();
  private double loss;
  private long most;
  private boolean chaos = true;
  private long now;
  private long order;
  private long latestOrigin;
  private final boolean arbitrated;
  private final boolean mayCrash;
  private String holder = "";
  private long holdersTerm;
  private long heldUntil;
  private int newestStore = -1;
  long messages;
  int starts;
  int judged;

  Simulation(long seed) {
    random = new SplittableRandom(seed);
    int count = 1 + random.nextInt(6);
    spares = count > 2 && random.nextInt(3) == 0 ? 1 : 0;
    max = count - spares;
    mostLost = (count - 1) / 2;
    min = random.nextInt(3) == 0 ? max : Math.max(1, max - mostLost);
    arbitrated = random.nextInt(4) == 0;
    withoutCulprit = random.nextInt(4) == 0;
    mayCrash = random.nextInt(4) == 0;
    cut = new boolean[count][count];
    loss = random.nextInt(2) == 0 ? 0 : random.nextDouble() * 0.2;
    most = random.nextInt(2) == 0 ? 30 : 1 + random.nextLong(2_000);
    for (int i = 0; i < count; i++) {
      machines.add(new Machine(i));
    }
    for (Machine machine : machines) {
      after(random.nextLong(1_500), () -> machine.boot(machine.index == 0));
    }
  }

  private void after(long millis, Runnable what) {
    events.add(new Event(now + Math.max(0, millis), order++, what));
  }

  private void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at <= end) {
      Event next = events.remove();
      now = next.at;
      next.what.run();
    }
    now = end;
  }

  /** Faults for a while, then peace; afterwards the job must run and be able to end. */
  void play() {
    long trouble = 12_000 + random.nextLong(12_000);
    int faults = 1 + random.nextInt(6);
    for (int i = 0; i < faults; i++) {
      long at = 2_000 + random.nextLong(trouble - 2_000);
      events.add(new Event(at, order++, this::fault));
    }
    runUntil(trouble);
    heal();
    runUntil(now + 32_000);
    requireRunning();
    endWell();
  }

  private void fault() {
    Machine machine = machines.get(random.nextInt(machines.size()));
    switch (random.nextInt(9)) {
      case 0 -> failRank(machine);
      case 7 -> crashWatcher(machine);
      case 1 -> crashMachine(machine);
      case 2 -> crashLauncher(machine);
      case 3 -> isolate(machine, true, true);
      case 4 -> isolate(machine, random.nextBoolean(), random.nextBoolean());
      case 5 -> split();
      case 8 -> leave(machine);
      default -> cut[machine.index][random.nextInt(machines.size())] = true;
    }
    if (random.nextInt(3) == 0) {
      after(500 + random.nextLong(12_000), this::reconnect);
    }
  }

  private void reconnect() {
    for (boolean[] row : cut) {
      Arrays.fill(row, false);
    }
  }

  private void isolate(Machine machine, boolean in, boolean out) {
    for (int i = 0; i < machines.size(); i++) {
      cut[i][machine.index] |= in;
      cut[machine.index][i] |= out;
    }
  }

  private void split() {
    int side = random.nextInt(1 << machines.size());
    for (int i = 0; i < machines.size(); i++) {
      for (int j = 0; j < machines.size(); j++) {
        cut[i][j] |= ((side >> i) & 1) != ((side >> j) & 1);
      }
    }
  }

  private void failRank(Machine machine) {
    if (machine.ranksOf >= 0) {
      machine.failed = true;
      machine.input(new Input.Exited(failure(machine)));
    }
  }

  private RankEvidence failure(Machine machine) {
    return new RankEvidence(0, machine.member.node(), 1, 0, false, now, List.of(), "", 0, -1);
  }

  /** Only the process that takes part here: started again soon, or late, with its memory. */
  private void crashWatcher(Machine machine) {
    if (machine.launcher == null || machine.memory == null) {
      return;
    }
    machine.launcher = null;
    int mine = ++machine.life;
    long away = random.nextInt(4) == 0 ? random.nextLong(15_000) : random.nextLong(2_000);
    after(
        away,
        () -> {
          if (mine == machine.life) {
            machine.resume();
          }
        });
  }

  private boolean mayLose(Machine machine) {
    if (lost.contains(machine.index)) {
      return true;
    }
    return lost.size() < mostLost && lost.add(machine.index);
  }

  /** Power off: ranks, launcher and memory are gone. It may come back. */
  private void crashMachine(Machine machine) {
    if (!mayLose(machine)) {
      return;
    }
    machine.launcher = null;
    machine.life++;
    machine.ranksOf = -1;
    int mine = machine.life;
    if (random.nextBoolean()) {
      after(
          7_000 + random.nextLong(8_000),
          () -> {
            if (mine == machine.life) {
              machine.boot(machine.index == 0 && min > mostLost);
            }
          });
    }
  }

  /** Only the launcher: its ranks live on under their lease; the next launcher waits for that. */
  private void crashLauncher(Machine machine) {
    if (!mayLose(machine)) {
      return;
    }
    machine.launcher = null;
    machine.life++;
    bootWhenClear(machine, machine.life);
  }

  /** Its supervisor was killed: the ranks went with it, and the launcher says so as it ends. */
  private void leave(Machine machine) {
    if (machine.launcher == null || !mayLose(machine)) {
      return;
    }
    machine.ranksOf = -1;
    machine.input(new Input.Leave(0, "left", true));
    if (random.nextBoolean()) {
      bootWhenClear(machine, machine.life);
    }
  }

  private void bootWhenClear(Machine machine, int mine) {
    after(
        200 + random.nextLong(3_000),
        () -> {
          if (mine == machine.life) {
            machine.checkLease();
            if (machine.ranksOf < 0) {
              machine.boot(false);
            } else {
              bootWhenClear(machine, mine);
            }
          }
        });
  }

  private void heal() {
    chaos = false;
    loss = 0;
    most = 20;
    reconnect();
  }

  private void perform(Machine machine, Effect effect) {
    switch (effect) {
      case Effect.Send send -> send.addresses().forEach(to -> send(machine, to, send.message()));
      case Effect.Start start -> start(machine, start.assignment());
      case Effect.Stop stop -> {
        boolean slow = chaos && random.nextInt(20) == 0;
        long takes = slow ? 3_000 + random.nextLong(9_000) : random.nextLong(300);
        after(takes, () -> machine.ranksGone(stop.attempt()));
      }
      case Effect.Lease lease -> {
        machine.leaseUntil = lease.until();
        long left = (long) ((lease.until() - machine.clock()) / machine.rate) + 1;
        after(left + random.nextLong(20), machine::checkLease);
      }
      case Effect.Finish finish -> {
        machine.exitCode = finish.exitCode();
        machine.launcher = null;
        machine.life++;
      }
      case Effect.Note _, Effect.Collect _ -> {}
      case Effect.Claim claim -> claim(machine, claim);
      case Effect.Release given -> {
        if (holder.equals(given.holder()) && holdersTerm == given.term()) {
          heldUntil = now;
        }
      }
      case Effect.OpenStore open -> openStore(machine, open.attempt());
      case Effect.CloseStore close -> {
        int mine = machine.life;
        after(
            random.nextLong(50),
            () -> {
              if (mine == machine.life) {
                machine.input(new Input.StoreClosed(close.attempt()));
              }
            });
      }
    }
  }

  /** The arbiter: one holder at a time, until its lease has run out by the arbiter's own clock. */
  private void claim(Machine machine, Effect.Claim claim) {
    int mine = machine.life;
    long askedAt = machine.clock();
    if (chaos && random.nextInt(5) == 0) {
      return;
    }
    after(
        random.nextLong(most),
        () -> {
          boolean holds = holder.equals(claim.holder()) && holdersTerm == claim.term();
          boolean granted = claim.term() > 0 ? holds && now < heldUntil : now >= heldUntil;
          if (granted) {
            holdersTerm = holds ? holdersTerm : Math.max(holdersTerm + 1, claim.wanted());
            holder = claim.holder();
            heldUntil = now + 6_000;
          }
          long term = holdersTerm;
          String leads = holder;
          after(
              random.nextLong(most),
              () -> {
                if (mine == machine.life) {
                  machine.input(
                      granted
                          ? new Input.Claimed(term, askedAt)
                          : new Input.ClaimRefused(claim.term(), leads));
                }
              });
        });
  }

  private void openStore(Machine machine, int attempt) {
    int mine = machine.life;
    boolean fails = chaos && random.nextInt(30) == 0;
    after(
        random.nextLong(200),
        () -> {
          if (mine == machine.life) {
            // With an arbiter the stores are there too, and it remembers the attempts.
            boolean old = arbitrated && attempt <= newestStore;
            newestStore = old || fails ? newestStore : attempt;
            machine.input(
                old
                    ? new Input.StoreFailed(attempt, "was there", true)
                    : fails
                        ? new Input.StoreFailed(attempt, "no port", false)
                        : new Input.StoreOpened(attempt, new StoreKeeper.Place("h", attempt)));
          }
        });
  }

  private void send(Machine from, String address, Message message) {
    messages++;
    int to = Integer.parseInt(address, 1, address.indexOf(':'), 10);
    watch(from, message);
    boolean late = chaos && random.nextInt(50) == 0;
    if (!late && (cut[from.index][to] || random.nextDouble() < loss)) {
      return;
    }
    Member sender = from.member;
    // A late one sat in some buffer while the link was cut, and comes when nobody expects it.
    long delay = late ? random.nextLong(20_000) : random.nextLong(most);
    after(delay, () -> machines.get(to).input(new Input.Received(sender, message)));
  }

  /** Whoever acts as leader of a term is the only one. */
  private void watch(Machine from, Message message) {
    Version version =
        switch (message) {
          case Message.Prepare prepare -> prepare.record().version();
          case Message.Tell tell when tell.run() >= 0 -> tell.record();
          default -> Version.NONE;
        };
    if (!version.equals(Version.NONE)) {
      String id = Names.id(from.member);
      String term = version.origin() + "/" + message.term();
      String other = leaders.putIfAbsent(term, id);
      if (other != null && !other.equals(id)) {
        throw new AssertionError("term " + term + " is led by " + other + " and " + id);
      }
    }
  }

  private void start(Machine machine, Assignment assignment) {
    starts++;
    if (machine.ranksOf >= 0) {
      throw new AssertionError(
          "%s starts %s while %d is there".formatted(machine.member, assignment, machine.ranksOf));
    }
    machine.ranksOf = assignment.attempt();
    machine.failed = false;
    machine.assignment = assignment;
    for (Machine other : machines) {
      if (other.ranksOf >= 0 && !assignment.equals(other.assignment)) {
        throw new AssertionError(
            "%s starts %s while %s runs %s"
                .formatted(machine.member, assignment, other.member, other.assignment));
      }
    }
    JobRecord record = java.util.Objects.requireNonNull(machine.launcher).record();
    long origin = record == null ? 0 : record.version().origin();
    if (origin != latestOrigin) {
      // The first launcher was started over after a majority of the old ones was gone for good.
      if (origin < latestOrigin) {
        throw new AssertionError("a job goes on that was begun anew");
      }
      latestOrigin = origin;
      assignments.clear();
    }
    if (record != null && FakeJudge.used(record.told()) != assignment.restarts()) {
      throw new AssertionError(
          "the history says %s restarts, %s says %d"
              .formatted(record.told(), assignment, assignment.restarts()));
    }
    int attempt = assignment.attempt();
    Assignment known = assignments.putIfAbsent(attempt, assignment);
    if (known != null && !known.equals(assignment)) {
      throw new AssertionError("two assignments of attempt " + attempt);
    }
    Assignment before = assignments.get(attempt - 1);
    // Of an attempt only the arbiter remembers nobody knows whether it began: it counts.
    int most = before == null || arbitrated ? attempt : before.restarts() + 1;
    if (before != null
        && (assignment.restarts() < before.restarts() || assignment.restarts() > most)) {
      throw new AssertionError(
          "restarts from " + before.restarts() + " to " + assignment.restarts());
    }
  }

  /** With a majority that remembers and enough nodes, all of the newest attempt runs. */
  private void requireRunning() {
    int present = 0;
    for (Machine machine : machines) {
      present += met(machine) ? 1 : 0;
    }
    if (present < min || withoutCulprit || !quorum()) {
      return;
    }
    judged++;
    int newest = assignments.keySet().stream().mapToInt(a -> a).max().orElse(-1);
    Assignment running = assignments.get(newest);
    if (running == null) {
      throw new AssertionError("nothing began: " + state());
    }
    for (Member member : running.members()) {
      Machine machine =
          machines.get(Integer.parseInt(member.node(), 1, member.node().length(), 10));
      if (machine.ranksOf != newest) {
        throw new AssertionError(member.node() + " does not run " + newest + ": " + state());
      }
    }
  }

  /** A launcher that holds no record knows the end point only, whose machine may be gone. */
  private static boolean met(Machine machine) {
    Node node = machine.launcher;
    return node != null
        && (node.record() != null || !node.view(machine.clock()).role().equals("searching"));
  }

  /** Whether enough of those who can vote are there; without a record, the first launcher. */
  private boolean quorum() {
    JobRecord newest = null;
    Set<String> there = new HashSet<>();
    for (Machine machine : machines) {
      Node node = machine.launcher;
      JobRecord record = node == null ? null : node.record();
      if (node != null) {
        there.add(Names.id(machine.member));
      }
      if (record != null && (newest == null || record.version().compareTo(newest.version()) > 0)) {
        newest = record;
      }
    }
    if (arbitrated) {
      return newest != null;
    }
    return newest == null ? !lost.contains(0) : new Quorum(newest.voters()).reached(there);
  }

  private void endWell() {
    for (Machine machine : machines) {
      if (machine.ranksOf >= 0) {
        machine.input(
            new Input.Exited(
                new RankEvidence(
                    0, machine.member.node(), 0, 0, false, now, List.of(), "", 0, -1)));
      }
    }
    boolean all = judged > 0;
    runUntil(now + 6_000);
    for (Machine machine : machines) {
      if (all && machine.launcher != null && met(machine)) {
        throw new AssertionError(machine.member.node() + " has not ended: " + state());
      }
      if (all && machine.exitCode > 0) {
        throw new AssertionError(machine.member.node() + " exits " + machine.exitCode);
      }
    }
  }

  private String state() {
    StringBuilder text = new StringBuilder("min " + min + " max " + max + " spares " + spares);
    for (Machine machine : machines) {
      text.append('\n').append(machine.member.node()).append(" ranks ").append(machine.ranksOf);
      Node node = machine.launcher;
      text.append(' ').append(node == null ? "down" : node.view(machine.clock()));
    }
    return text.toString();
  }
}
