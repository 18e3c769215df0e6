package dev.holdfast.bench.load;

import dev.holdfast.os.net.Poller;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One thread's share of the clients. It does as little as a client can: a wait shared by all that
 * are ready, a read and a write for each, no memory taken while it is measured. So what a request
 * costs here is what the kernel asks for it, and what is left of the core is told beside the
 * figures.
 */
final class Lane implements AutoCloseable {
  private static final int ANSWER_BYTES = 4096;
  private static final long STALL_NANOS = 30_000_000_000L;

  private final Poller poller;
  private final MemorySegment answer;
  private final InetSocketAddress target;
  private final int first;
  private final int[] descriptors;

  /**
   * @param first the number of its first client; keys are named after numbers
   * @param count how many clients it plays
   */
  Lane(InetSocketAddress target, int first, int count) throws IOException {
    this.poller = Poller.open();
    this.answer = poller.allocate(ANSWER_BYTES);
    this.target = target;
    this.first = first;
    this.descriptors = new int[count];
    Arrays.fill(descriptors, -1);
  }

  int count() {
    return descriptors.length;
  }

  /**
   * What became of an attempt to connect all.
   *
   * @param ready how many were greeted and counted in time
   * @param lastNanos when the last of them was
   */
  record Connected(int ready, long lastNanos) {}

  /**
   * Connects all as a client does: greeting, then a count of {@code init/} that is waited for.
   *
   * @param inFlight how many may be under way at once
   */
  Connected connect(int inFlight, long deadlineNanos) throws IOException {
    MemorySegment greeting = copy(Wire.greeting(first + 1));
    MemorySegment joining = copy(Wire.add("init/", 1));
    byte[] state = new byte[count()]; // 0: connecting, 1: greeted, 2: joining, 3: ready
    int[] got = new int[count()];
    int started = 0;
    int ready = 0;
    long last = System.nanoTime();
    while (ready < count()) {
      while (started < count() && started - ready < inFlight) {
        int descriptor = require(poller.connect(target), "connect");
        descriptors[started] = descriptor;
        require(poller.add(descriptor, Poller.WRITE, started), "epoll_ctl");
        started++;
        if (started % 64 == 0) {
          break; // those who are through are answered meanwhile
        }
      }
      int events = poller.await(started < count() && started - ready < inFlight ? 0 : 100);
      for (int i = 0; i < events; i++) {
        int c = (int) poller.token(i);
        if (state[c] == 0) {
          send(c, greeting, (int) greeting.byteSize());
          poller.modify(descriptors[c], Poller.READ, c);
          state[c] = 1;
          continue;
        }
        got[c] += receive(c);
        if (state[c] == 1 && got[c] == 4) {
          send(c, joining, (int) joining.byteSize());
          state[c] = 2;
          got[c] = 0;
        } else if (state[c] == 2 && got[c] == 8) {
          state[c] = 3;
          ready++;
          last = System.nanoTime();
        }
      }
      if (System.nanoTime() > deadlineNanos) {
        break;
      }
    }
    return new Connected(ready, last);
  }

  /**
   * What was counted.
   *
   * @param operations ended within the time that is measured
   */
  record Tally(long operations, Histogram latencies) {}

  /** Every client does the script over and over until the time is up, or so many times. */
  Tally run(Script script, long fromNanos, long untilNanos, int turnsEach) throws IOException {
    int steps = script.answers().size();
    int[] answers = script.answers().stream().mapToInt(Integer::intValue).toArray();
    int[] offsets = new int[steps + 1];
    List<byte[]> shape = script.steps().apply(first);
    for (int i = 0; i < steps; i++) {
      offsets[i + 1] = offsets[i] + shape.get(i).length;
    }
    int stride = offsets[steps];
    MemorySegment requests = poller.allocate(Math.max(1, (long) stride * count()));
    for (int c = 0; c < count(); c++) {
      List<byte[]> own = script.steps().apply(first + c);
      for (int i = 0; i < steps; i++) {
        MemorySegment.copy(
            own.get(i),
            0,
            requests,
            ValueLayout.JAVA_BYTE,
            (long) c * stride + offsets[i],
            own.get(i).length);
      }
    }
    int[] step = new int[count()];
    int[] missing = new int[count()];
    int[] turns = new int[count()];
    long[] since = new long[count()];
    Histogram latencies = new Histogram();
    long operations = 0;
    int active = count();
    long now = System.nanoTime();
    long progress = now;
    for (int c = 0; c < count(); c++) {
      since[c] = now;
      step[c] = advance(requests, c, stride, offsets, answers, 0);
      missing[c] = answers[step[c]];
    }
    while (active > 0) {
      int events = poller.await(100);
      if (events == 0) {
        if (System.nanoTime() - progress > STALL_NANOS) {
          throw new IOException("the server has not answered for 30 s");
        }
        continue;
      }
      progress = now;
      for (int i = 0; i < events; i++) {
        int c = (int) poller.token(i);
        missing[c] -= receive(c);
        if (missing[c] > 0) {
          continue;
        }
        if (missing[c] < 0) {
          throw new IOException("the server has answered more than was asked for");
        }
        int next = step[c] + 1;
        if (next == steps) {
          int said = answer.get(ValueLayout.JAVA_BYTE, 0);
          if (script.firstByte() >= 0 && said != script.firstByte()) {
            throw new IOException("a wrong answer: " + said + " for " + script.firstByte());
          }
          now = System.nanoTime();
          if (now >= fromNanos && now < untilNanos) {
            operations += script.operations();
            latencies.record(now - since[c]);
          }
          if (now >= untilNanos || ++turns[c] == turnsEach) {
            active--;
            continue;
          }
          since[c] = now;
          next = 0;
        }
        step[c] = advance(requests, c, stride, offsets, answers, next);
        missing[c] = answers[step[c]];
      }
    }
    return new Tally(operations, latencies);
  }

  /** Sends from this step on until there is an answer to wait for; returns the step it is of. */
  private int advance(
      MemorySegment requests, int c, int stride, int[] offsets, int[] answers, int from)
      throws IOException {
    int step = from;
    while (true) {
      int length = offsets[step + 1] - offsets[step];
      send(c, requests.asSlice((long) c * stride + offsets[step], length), length);
      if (answers[step] > 0) {
        return step;
      }
      step++;
    }
  }

  /** Every client asks something, by its number; no answer is waited for. */
  void sendAll(IntFunction<byte[]> requests) throws IOException {
    List<MemorySegment> segments = new ArrayList<>();
    for (int c = 0; c < count(); c++) {
      segments.add(copy(requests.apply(first + c)));
    }
    for (int c = 0; c < count(); c++) {
      send(c, segments.get(c), (int) segments.get(c).byteSize());
    }
  }

  /** Every client gives up waiting; no answer is waited for. */
  void cancelAll() throws IOException {
    MemorySegment segment = copy(Wire.cancel());
    for (int c = 0; c < count(); c++) {
      send(c, segment, 1);
    }
  }

  /** Waits until every client was told this one byte; returns when the last was. */
  long awaitByte(int expected, long deadlineNanos) throws IOException {
    int left = count();
    while (left > 0) {
      int events = poller.await(100);
      for (int i = 0; i < events; i++) {
        int got = receive((int) poller.token(i));
        if (got != 1 || answer.get(ValueLayout.JAVA_BYTE, 0) != expected) {
          throw new IOException("a wrong answer to a wait");
        }
        left--;
      }
      if (events == 0 && System.nanoTime() > deadlineNanos) {
        throw new IOException(left + " of " + count() + " were not told in time");
      }
    }
    return System.nanoTime();
  }

  /** Every client goes as one whose process ends: the kernel says farewell for it. */
  void leave() {
    for (int c = 0; c < count(); c++) {
      if (descriptors[c] >= 0) {
        poller.closeSocket(descriptors[c]);
        descriptors[c] = -1;
      }
    }
  }

  private MemorySegment copy(byte[] bytes) {
    MemorySegment segment = poller.allocate(bytes.length);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  private void send(int c, MemorySegment bytes, int length) throws IOException {
    int sent = poller.send(descriptors[c], bytes, length);
    if (sent != length) {
      throw new IOException(
          sent < 0 ? "the server cannot be written to: error " + -sent : "a write was cut short");
    }
  }

  private int receive(int c) throws IOException {
    int got = poller.receive(descriptors[c], answer, ANSWER_BYTES);
    if (got > 0) {
      return got;
    }
    if (got == Poller.AGAIN) {
      return 0;
    }
    throw new IOException(
        got == 0 ? "the server has closed a connection" : "the server is gone: error " + -got);
  }

  private static int require(int result, String call) throws IOException {
    if (result < 0) {
      throw new IOException(call + ": error " + -result);
    }
    return result;
  }

  @Override
  public void close() {
    for (int descriptor : descriptors) {
      if (descriptor >= 0) {
        poller.resetSocket(descriptor);
      }
    }
    poller.close();
  }
}
