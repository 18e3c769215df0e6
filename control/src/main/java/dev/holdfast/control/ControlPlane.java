package dev.holdfast.control;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.control.api.ApiServer;
import dev.holdfast.control.api.Liveness;
import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.Retention;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.slurm.SlurmLink;
import dev.holdfast.control.slurm.SlurmSettings;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyText;
import dev.holdfast.os.process.Heartbeats;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** All parts of the control plane together, from a journal to a port. */
public final class ControlPlane implements AutoCloseable {
  /** A look is taken each second; after so long it hangs. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private final Heartbeats heartbeats;
  private final Journal journal;
  private final Engine engine;
  private final Tokens tokens;
  private final ApiServer server;
  private final Clock clock;
  private Optional<Retention> retention = Optional.empty();
  private volatile Optional<SlurmLink> slurm = Optional.empty();
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("liveness").daemon().factory());

  public ControlPlane(
      Journal journal,
      Policy first,
      Function<String, Policy> reader,
      String host,
      int port,
      Clock clock)
      throws SQLException {
    this(
        Lead.of(journal),
        first,
        reader,
        List.of(),
        Notary.inMemory(),
        Entrance.inMemory(),
        host,
        port,
        clock,
        new Heartbeats());
  }

  /**
   * @param known the checks agents can run, by which policies are judged
   * @param notary signs evidence
   * @param entrance how people and agents are let in
   * @param heartbeats the threads of this process that must live
   */
  public ControlPlane(
      Lead lead,
      Policy first,
      Function<String, Policy> reader,
      Collection<KnownCheck> known,
      Notary notary,
      Entrance entrance,
      String host,
      int port,
      Clock clock,
      Heartbeats heartbeats)
      throws SQLException {
    this.heartbeats = heartbeats;
    this.journal = lead.journal();
    this.clock = clock;
    ClusterState state = lead.state();
    this.tokens = entrance.tokens();
    Decider decider = new Decider(state, first, reader);
    this.engine = new Engine(state, lead.applied(), decider, journal, clock);
    Liveness liveness = new Liveness(state, clock);
    this.server =
        new ApiServer(
            engine,
            liveness,
            new PolicyInForce(state, first, reader),
            known,
            notary,
            entrance,
            () -> slurm,
            host,
            port,
            clock,
            heartbeats);
    engine.start(heartbeats);
    Heartbeats.Beat silence = heartbeats.expect("the look for silent nodes", STUCK);
    looking.scheduleAtFixedRate(
        () -> {
          silence.beat();
          engine.requireLead();
          liveness.changes(decider.policy().silence()).forEach(engine::submit);
        },
        1,
        1,
        TimeUnit.SECONDS);
  }

  /**
   * Writes into the journal by which policy is decided from now on, unless the journal knows:
   * whoever reads it later need not ask which file that was.
   */
  public void announce(Policy policy, Function<String, Policy> reader) {
    if (!engine.state().policy().map(reader).equals(Optional.of(policy))) {
      var _ = engine.submit(new Input.Ruled(PolicyText.of(policy)));
    }
  }

  /** Lets go of history older than that from now on. */
  public void keep(Duration keep) throws SQLException {
    Retention begun = new Retention(engine, journal, keep, clock);
    begun.start(heartbeats);
    retention = Optional.of(begun);
  }

  /**
   * Looks after the Slurm cluster this machine belongs to from now on.
   *
   * @param messages for who watches the process
   */
  public SlurmLink link(SlurmSettings settings, Consumer<String> messages) {
    SlurmLink begun = new SlurmLink(engine, server.board(), settings, clock, messages);
    slurm = Optional.of(begun);
    begun.start(heartbeats);
    return begun;
  }

  /** What it has to do with Slurm, if anything. */
  public Optional<SlurmLink> link() {
    return slurm;
  }

  public int port() {
    return server.port();
  }

  /** Who may ask. */
  public Tokens tokens() {
    return tokens;
  }

  public Engine engine() {
    return engine;
  }

  public Database database() {
    return journal.database();
  }

  @Override
  public void close() throws InterruptedException, SQLException {
    // Nobody is answered any more before what answers are made of ends.
    server.close();
    looking.shutdownNow();
    if (slurm.isPresent()) {
      slurm.get().close();
    }
    if (retention.isPresent()) {
      retention.get().close();
    }
    engine.close();
    journal.close();
  }
}
