package dev.holdfast.store.attempts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.store.attempts.StoreRefused.Reason;
import dev.holdfast.store.ledger.Ledger;
import dev.holdfast.store.server.Notices;
import dev.holdfast.store.server.Shared;
import dev.holdfast.store.server.StoreOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts are kept apart, and whoever leads no more can do nothing. */
class AttemptsTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final byte[] SET_K = {
    1, 2, 0, 0, 0, 0, 0, 0, 0, '/', 'k', 1, 0, 0, 0, 0, 0, 0, 0, 'v'
  };
  private static final byte[] HELLO = {0, (byte) 0xce, (byte) 0xf7, (byte) 0x85, 0x3c};
  private static final byte[] COUNT_KEYS = {7};

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1_000_000);
  private int first;

  @SuppressWarnings("NullAway.Init") // made before each test
  private Attempts attempts;

  @SuppressWarnings("NullAway.Init") // made before each test
  private Notices notices;

  @BeforeEach
  void choosePorts() throws IOException {
    // Below the ports the kernel gives to clients, so that nobody takes one meanwhile.
    for (first = 21_000; !free(first, 8); first += 8) {
      assertThat(first).isLessThan(29_000);
    }
    start();
  }

  private static boolean free(int from, int count) {
    for (int port = from; port < from + count; port++) {
      try (ServerSocket probe = new ServerSocket(port, 1, LOOPBACK)) {
        assertThat(probe.isBound()).isTrue();
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }

  private void start() throws IOException {
    notices = new Notices(log::add, System::nanoTime);
    StoreOptions options = StoreOptions.at(new InetSocketAddress(LOOPBACK, 0)).withThreads(1);
    attempts =
        new Attempts(
            Ledger.open(folder),
            new PortRange(first, first + 7),
            options,
            Shared.of(options.limits(), notices),
            nanos::get);
  }

  @AfterEach
  void end() throws IOException {
    attempts.close();
    notices.close();
  }

  private void restart() throws IOException {
    end();
    start();
  }

  private static OpenOrder order(String job, int attempt, long term) {
    return new OpenOrder(job, attempt, term, 4, List.of(), List.of());
  }

  private int open(String job, int attempt) throws IOException {
    return attempts.open(order(job, attempt, 0)).port();
  }

  private static void refused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreRefused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private static long keys(Socket client) throws IOException {
    client.getOutputStream().write(COUNT_KEYS);
    return client.getInputStream().readNBytes(8)[0];
  }

  private static Socket connect(int port) throws IOException {
    Socket client = new Socket(LOOPBACK, port);
    client.setSoTimeout(20_000);
    client.getOutputStream().write(HELLO);
    return client;
  }

  @Test
  void attemptsSeeNothingOfEachOther() throws IOException {
    int one = open("a", 0);
    int two = open("a", 1);
    int other = open("b", 0);
    assertThat(Set.of(one, two, other)).hasSize(3);
    try (Socket first = connect(one);
        Socket second = connect(two);
        Socket third = connect(other)) {
      first.getOutputStream().write(SET_K);
      assertThat(keys(first)).isOne();
      assertThat(keys(second)).isZero();
      assertThat(keys(third)).isZero();
      attempts.close("a", 0, 0);
      assertThat(first.getInputStream().read()).isEqualTo(-1);
      assertThat(keys(second)).isZero();
    }
    assertThatThrownBy(() -> new Socket(LOOPBACK, one)).isInstanceOf(ConnectException.class);
    assertThat(attempts.open()).extracting(Attempt::port).containsExactly(two, other);
  }

  @Test
  void thePortsOfAJobAreAllUsedOnceBeforeAnyIsUsedAgain() throws IOException {
    Set<Integer> ports = new HashSet<>();
    for (int attempt = 0; attempt < 8; attempt++) {
      ports.add(open("a", attempt));
      attempts.close("a", attempt, 0);
      if (attempt == 3) {
        restart();
      }
    }
    assertThat(ports).hasSize(8);
    assertThat(open("a", 8)).isBetween(first, first + 7);
  }

  @Test
  void portsOthersHaveArePassedOver() throws IOException {
    try (ServerSocket other = new ServerSocket(first, 5, LOOPBACK)) {
      assertThat(other.isBound()).isTrue();
      assertThat(open("a", 0)).isEqualTo(first + 1);
    }
  }

  @Test
  void withoutAFreePortItIsRefusedAndTheOthersGoOn() throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int attempt = 0; attempt < 8; attempt++) {
      ports.add(open("a", attempt));
    }
    refused(Reason.NO_ROOM, () -> open("b", 0));
    attempts.close("a", 0, 0);
    assertThat(open("b", 0)).isEqualTo(ports.getFirst());
  }

  @Test
  void openingTwiceIsOnceAndAnOldAttemptIsRefusedAfterARestartToo() throws IOException {
    int port = open("a", 3);
    assertThat(open("a", 3)).isEqualTo(port);
    refused(Reason.OLD_ATTEMPT, () -> open("a", 2));
    attempts.close("a", 3, 0);
    attempts.close("a", 3, 0); // again is no error
    refused(Reason.OLD_ATTEMPT, () -> open("a", 3));
    refused(Reason.NOT_OPEN, () -> attempts.close("a", 4, 0));
    restart();
    refused(Reason.OLD_ATTEMPT, () -> open("a", 3));
    assertThat(open("a", 4)).isNotEqualTo(port);
  }

  @Test
  void onlyTheNewestTermMayOpenAndClose() throws IOException {
    Lease one = attempts.claim("a", "node1", 0, 5);
    assertThat(one.granted()).isTrue();
    refused(Reason.STALE_TERM, () -> open("a", 0)); // no term at all
    int port = attempts.open(order("a", 0, one.term())).port();
    Lease denied = attempts.claim("a", "node2", 0, 5);
    assertThat(denied.granted()).isFalse();
    assertThat(denied.holder()).isEqualTo("node1");
    assertThat(denied.remaining()).isEqualTo(Duration.ofSeconds(5));

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    Lease two = attempts.claim("a", "node2", 0, 5);
    assertThat(two.granted()).isTrue();
    assertThat(two.term()).isGreaterThan(one.term());
    refused(Reason.STALE_TERM, () -> attempts.open(order("a", 1, one.term())));
    refused(Reason.STALE_TERM, () -> attempts.close("a", 0, one.term()));
    refused(Reason.STALE_TERM, () -> attempts.renew("a", "node1", one.term(), 5));
    refused(Reason.STALE_TERM, () -> attempts.release("a", "node1", one.term()));
    try (Socket still = connect(port)) {
      assertThat(keys(still)).isZero();
    }
    attempts.close("a", 0, two.term());
  }

  @Test
  void aLeaseIsRenewedReclaimedAndGivenBack() throws IOException {
    Lease mine = attempts.claim("a", "node1", 0, 5);
    nanos.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(attempts.renew("a", "node1", mine.term(), 5).remaining())
        .isEqualTo(Duration.ofSeconds(5));
    // The same launcher after a broken connection names its term and keeps it; a new one gets anew.
    assertThat(attempts.claim("a", "node1", mine.term(), 5).term()).isEqualTo(mine.term());
    Lease restarted = attempts.claim("a", "node1", 0, 5);
    assertThat(restarted.term()).isGreaterThan(mine.term());
    attempts.release("a", "node1", restarted.term());
    Lease next = attempts.claim("a", "node2", 100, 5);
    assertThat(next.granted()).isTrue();
    assertThat(next.term()).isEqualTo(100);
    assertThat(attempts.claim("b", "node2", 0, 5).term()).isGreaterThan(100);
  }

  @Test
  void afterARestartTermsGoOnAndAHolderIsGivenItsTime() throws IOException {
    Lease mine = attempts.claim("a", "node1", 0, 5);
    restart();
    assertThat(attempts.claim("a", "node2", 0, 5).granted()).isFalse();
    assertThat(attempts.renew("a", "node1", mine.term(), 5).granted()).isTrue();
    nanos.addAndGet(Duration.ofSeconds(6).toNanos());
    assertThat(attempts.claim("a", "node2", 0, 5).term()).isGreaterThan(mine.term());
  }

  @Test
  void wrongRequestsAreRefused() {
    refused(Reason.REQUEST, () -> attempts.claim("a", "", 0, 5));
    refused(Reason.REQUEST, () -> attempts.claim("a", "node1", 0, 0));
    refused(Reason.REQUEST, () -> attempts.claim("a", "node1", Long.MAX_VALUE, 5));
    refused(
        Reason.REQUEST,
        () -> attempts.open(new OpenOrder("a", 0, 0, 4, List.of("10.0.0.0/99"), List.of())));
    assertThatThrownBy(() -> order("", 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
