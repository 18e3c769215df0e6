package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many members of a job over real connections in one JVM: they do as told and renew each second.
 */
final class Crowd implements AutoCloseable {
  private final String job;
  private final String token;
  private final int port;
  private final int ranks;
  private final List<One> members = new ArrayList<>();
  private final Map<String, Version> versions = new ConcurrentHashMap<>();
  private final Thread renewer;
  private volatile boolean closed;
  final AtomicInteger running = new AtomicInteger();
  final AtomicInteger ended = new AtomicInteger();
  final AtomicLong sent = new AtomicLong();
  final AtomicLong received = new AtomicLong();

  /** Members whose connection ended before the job did, and how. */
  final Queue<String> lost = new ConcurrentLinkedQueue<>();

  private final class One {
    final Member member;
    final OutputStream out;
    final BufferedReader in;
    final Socket socket;
    Version held = Version.NONE;
    long stamp = -1;
    int attempt = -1;
    int floor = -1;
    boolean live;
    boolean failed;
    volatile boolean over;

    One(int index) throws IOException {
      member = new Member("m" + index, 1, "10.9." + index / 250 + "." + index % 250, 1, ranks, 0);
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      out = socket.getOutputStream();
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 2048);
      Handshake handshake = new Handshake(job, token, member, true);
      say(handshake.opening());
      Handshake.Step step = handshake.on(in.readLine());
      say(java.util.Objects.requireNonNull(step.say()));
      step = handshake.on(in.readLine());
      if (step.peer() == null) {
        throw new IOException("refused: " + step.refused());
      }
    }

    private void say(Map<String, @Nullable Object> tree) throws IOException {
      out.write(Wire.line(tree));
    }

    synchronized void renew(boolean periodic) throws IOException {
      if (over) {
        return;
      }
      List<RankActivity> activity = null;
      if (live && periodic) {
        activity = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
          activity.add(
              new RankActivity(i, 4711 + i, 'R', 1234.5, 1 << 30, 4096, 100, 100, "", "", ""));
        }
      }
      out.write(
          Wire.line(
              new Message.Renew(
                  1,
                  System.nanoTime() / 1_000_000,
                  stamp,
                  held,
                  attempt,
                  live,
                  live ? Math.min(floor, attempt - 1) : floor,
                  false,
                  0,
                  live && failed ? List.of(evidence()) : List.of(),
                  activity,
                  null)));
      sent.incrementAndGet();
    }

    private dev.holdfast.core.forensics.RankEvidence evidence() {
      return new dev.holdfast.core.forensics.RankEvidence(
          0, member.node(), 1, 0, false, 0, List.of("boom"), "", 0, -1);
    }

    void read() {
      try {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          received.incrementAndGet();
          if (line.startsWith("=") || line.startsWith("{\"say\":\"prepare\"")) {
            synchronized (this) {
              held = versions.computeIfAbsent(line, Crowd::version);
              renew(false);
            }
          } else if (!over && Wire.message(line) instanceof Message.Tell tell) {
            told(tell);
          }
        }
        gone("end of stream");
      } catch (IOException broken) {
        gone(broken.toString());
      }
    }

    private void gone(String how) {
      if (!closed && !over) {
        lost.add(member.node() + ": " + how);
      }
    }

    private synchronized void told(Message.Tell tell) throws IOException {
      boolean first = stamp < 0;
      stamp = tell.stamp();
      boolean news = first || tell.floor() > floor;
      floor = Math.max(floor, tell.floor());
      if (live && attempt <= floor) {
        live = false;
        running.decrementAndGet();
        news = true;
      }
      if (!live && tell.run() > floor && tell.record().equals(held)) {
        attempt = tell.run();
        live = true;
        failed = false;
        running.incrementAndGet();
        news = true;
      }
      if (tell.ending() != null) {
        over = true;
        ended.incrementAndGet();
        out.write(Wire.line(new Message.Bye(1, "done")));
      } else if (news) {
        renew(false);
      }
    }
  }

  private static Version version(String line) {
    if (Wire.message(line) instanceof Message.Prepare prepare) {
      return prepare.record().version();
    }
    throw new AssertionError(line);
  }

  Crowd(String job, String token, int port, int size, int ranks) throws IOException {
    this.job = job;
    this.token = token;
    this.port = port;
    this.ranks = ranks;
    for (int i = 0; i < size; i++) {
      One one = new One(i);
      members.add(one);
      Thread.ofVirtual().start(one::read);
      one.renew(false);
    }
    renewer = Thread.ofPlatform().daemon().start(this::renew);
  }

  /** Spread over the second, as in life. */
  private void renew() {
    long period = 1_000_000_000;
    long next = System.nanoTime();
    while (!closed) {
      for (int i = 0; i < members.size() && !closed; i++) {
        try {
          members.get(i).renew(true);
        } catch (IOException _) {
          // This one has ended.
        }
        next += period / members.size();
        long wait = next - System.nanoTime();
        if (wait > 1_000_000) {
          java.util.concurrent.locks.LockSupport.parkNanos(wait);
        }
      }
      next = Math.max(next, System.nanoTime());
    }
  }

  /** A rank of one of them fails. */
  void fail(int index) throws IOException {
    One one = members.get(index);
    synchronized (one) {
      one.failed = true;
      one.renew(false);
    }
  }

  @Override
  public void close() {
    closed = true;
    renewer.interrupt();
    for (One one : members) {
      try {
        one.socket.close();
      } catch (IOException _) {
        // Nothing depends on it any more.
      }
    }
  }
}
