package dev.holdfast.agent.testing;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.Lead;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.server.ServerAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A real control plane on a port of its own, with a policy that does nothing. */
public final class TryPlane implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** One for all, so that agents are known to a control plane that comes back. */
  private static final Entrance ENTRANCE = Entrance.inMemory();

  private static final String TOKEN = ENTRANCE.tokens().passing("test", Role.AGENT, "*");

  private final ControlPlane plane;

  private TryPlane(ControlPlane plane) {
    this.plane = plane;
  }

  public static TryPlane fresh() throws SQLException {
    return at("jdbc:h2:mem:agent" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1", 0);
  }

  public static TryPlane at(String url, int port) throws SQLException {
    Policy none =
        new Policy(
            "none",
            Accept.UNSAID,
            List.of(),
            new Guard(0.5, 100, 4, 4, 10, Duration.ofMinutes(5)),
            List.of(),
            Duration.ofSeconds(60),
            3,
            Duration.ofDays(30));
    return new TryPlane(
        new ControlPlane(
            Lead.of(Journal.at(url)),
            none,
            _ -> none,
            List.of(),
            Notary.inMemory(),
            ENTRANCE,
            "127.0.0.1",
            port,
            Clock.systemUTC(),
            new Heartbeats()));
  }

  public ControlPlane plane() {
    return plane;
  }

  /** Where agents reach it, with what lets them in. */
  public ServerAddress address() {
    return new ServerAddress(URI.create("http://127.0.0.1:" + port()), TOKEN, "");
  }

  public int port() {
    return plane.port();
  }

  /** What is known under a check and the end of its subject. */
  public Optional<FindingView> finding(String check, String subject) {
    return plane.engine().state().findings().stream()
        .filter(it -> it.finding().check().equals(check))
        .filter(it -> it.finding().subject().toString().endsWith(subject))
        .findFirst();
  }

  public boolean holds(String check, String subject) {
    return finding(check, subject).filter(FindingView::holds).isPresent();
  }

  /** Waits until it is so, and says how long that took; fails when it never is. */
  public static Duration until(String what, Duration most, BooleanSupplier so)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() - start > most.toNanos()) {
        throw new AssertionError("not within " + most.toSeconds() + " s: " + what);
      }
      Thread.sleep(10);
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Override
  public void close() throws InterruptedException, SQLException {
    plane.close();
  }
}
