package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A rank that is measured with one other at a time, over a fresh connection each time: what is
 * wrong with one pair is an answer, not the end.
 */
final class PairRank {
  /** Streams of different meetings have different numbers. */
  private static final int STREAMS = 2 * 64;

  private final RankSettings settings;
  private final Wire wire;
  private final SocketMeeting meeting;
  private final List<MemorySegment> buffers;
  private final boolean ownCore;
  private final AtomicReference<@Nullable String> abandoned;
  private @Nullable FlowPerformer performer;

  PairRank(
      RankSettings settings,
      Wire wire,
      SocketMeeting meeting,
      List<MemorySegment> buffers,
      boolean ownCore,
      AtomicReference<@Nullable String> abandoned) {
    this.settings = settings;
    this.wire = wire;
    this.meeting = meeting;
    this.buffers = buffers;
    this.ownCore = ownCore;
    this.abandoned = abandoned;
  }

  void obey(BlockingQueue<Fields> orders) throws IOException, InterruptedException {
    while (true) {
      Fields order = orders.take();
      int number = order.integer("pair");
      try {
        List<Long> nanos = order.has("with") ? meet(order) : measure(order);
        wire.say("did", number, "nanos", nanos);
      } catch (IOException failed) {
        String why = why(failed);
        leave();
        wire.say("did", number, "failed", why);
      }
    }
  }

  /** Of the two of a pair, whoever has the higher number connects and is the second. */
  private List<Long> meet(Fields order) throws IOException {
    leave();
    abandoned.set(null);
    int peer = order.integer("with");
    int first = order.integer("pair") * STREAMS;
    List<@Nullable SocketLink> links;
    int own = peer < settings.rank() ? 1 : 0;
    if (own == 1) {
      links =
          Arrays.asList(
              meeting.connect(
                  peer,
                  new SocketMeeting.Place(order.text("address"), order.integer("port")),
                  first),
              null);
    } else {
      // The other one complains sooner, and knows more about why.
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1) + 3 * settings.silenceNanos();
      links = Arrays.asList(null, meeting.await(peer, first, end, abandoned));
    }
    SocketMesh mesh = new SocketMesh(new ArrayList<>(links), ownCore);
    performer = new FlowPerformer(settings, own, buffers, mesh, abandoned);
    return List.of();
  }

  private List<Long> measure(Fields order) throws IOException {
    if (performer == null) {
      throw new IOException("not connected");
    }
    Operation operation = Operation.read(order.object("operation"));
    long[] nanos = performer.time(operation, order.integer("iterations"));
    return Arrays.stream(nanos).boxed().toList();
  }

  private String why(IOException failed) {
    return failed instanceof LinkFault fault && performer != null
        ? fault.ended()
            ? "the connection broke"
            : "nothing got through for %.0f s".formatted(settings.silenceSeconds())
        : String.valueOf(failed.getMessage());
  }

  private void leave() {
    if (performer != null) {
      performer.close();
      performer = null;
    }
  }
}
