package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.os.libc.CpuAffinity;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A rank: a process that does operations with others when told to and says how long they took. One
 * thread moves bytes and has the core; another one hears orders and answers at any time, so that it
 * is known whether the process still runs.
 */
public final class RankProcess {
  private static final int GAVE_UP = 1;
  private static final long MEETING_NANOS = 120_000_000_000L;

  private final RankSettings settings;
  private final Wire wire;
  private final AtomicReference<@Nullable String> stop = new AtomicReference<>();
  private final LinkedBlockingQueue<Fields> orders = new LinkedBlockingQueue<>();

  private RankProcess(RankSettings settings, Wire wire) {
    this.settings = settings;
    this.wire = wire;
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader input =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    String line = input.readLine();
    if (line == null) {
      throw new IOException("no settings");
    }
    RankSettings settings = RankSettings.read(line);
    Thread.ofPlatform().daemon().name("parent").start(() -> endWithParent(input));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), settings.port());
        Wire wire = new Wire(socket)) {
      new RankProcess(settings, wire).obey();
    }
  }

  /** The input ends when whoever started us does; nobody else would end us then. */
  private static void endWithParent(BufferedReader input) {
    try {
      while (input.readLine() != null) {
        // Nothing more is said there.
      }
    } catch (IOException gone) {
      // As if it had ended.
    }
    Runtime.getRuntime().halt(GAVE_UP);
  }

  /** Hears orders until there are no more. */
  private void obey() throws IOException {
    Thread.ofPlatform().name("rank").daemon().start(this::work);
    for (Fields message = wire.hear(); message != null; message = wire.hear()) {
      if (message.has("ping")) {
        wire.say("pong", message.number("ping"));
      } else if (message.has("stop")) {
        giveUp(message.text("stop"));
      } else if (message.has("end")) {
        Runtime.getRuntime().halt(0);
      } else if (message.has("refused")) {
        giveUp("refused: " + message.text("refused"));
      } else {
        orders.add(message);
      }
    }
    giveUp("whoever started this rank is gone");
  }

  private void giveUp(String why) throws IOException {
    stop.compareAndSet(null, why);
    String line = "rank " + settings.rank() + " gives up: " + stop.get() + "\n";
    new FileOutputStream(FileDescriptor.out).write(line.getBytes(StandardCharsets.UTF_8));
    Runtime.getRuntime().halt(GAVE_UP);
  }

  /** What the thread that has the core does. */
  private void work() {
    try {
      if (settings.ownCore()) {
        BitSet core = new BitSet();
        core.set(settings.cpu());
        CpuAffinity.bind(core);
      }
      // Touched here first, so that the memory is near this core.
      List<MemorySegment> buffers = new ArrayList<>();
      long bytes = Math.max(4096, settings.bytes());
      buffers.add(Arena.global().allocate(bytes, 4096));
      buffers.add(Arena.global().allocate(settings.other() ? bytes : 4096, 4096));
      try (Mesh mesh = meet()) {
        Flow flow = new Flow(mesh, buffers, settings.silenceNanos(), stop);
        while (true) {
          carryOut(orders.take(), flow, buffers);
        }
      }
    } catch (LinkFault fault) {
      tell("fault", String.valueOf(fault.getMessage()), fault.peer(), fault.ended());
    } catch (IOException | RuntimeException | OutOfMemoryError problem) {
      if (stop.get() == null) {
        tell("problem", String.valueOf(problem), -1, false);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(String kind, String why, int peer, boolean ended) {
    try {
      wire.say(kind, why, "peer", peer, "ended", ended);
    } catch (IOException gone) {
      // Then nobody needs to know.
    }
  }

  private Mesh meet() throws IOException, InterruptedException {
    if (settings.transport() == Transport.SHM) {
      hello(0);
      orders.take();
      Mesh mesh =
          new SharedMesh(
              Path.of(settings.place()),
              settings.rank(),
              settings.ranks(),
              settings.room(),
              settings.ownCore());
      wire.say("ready", true);
      return mesh;
    }
    try (SocketMeeting meeting = new SocketMeeting(settings)) {
      hello(meeting.port());
      Mesh mesh = meeting.meet(orders.take().integers("peers"), MEETING_NANOS);
      wire.say("ready", true);
      return mesh;
    }
  }

  private void hello(int port) throws IOException {
    wire.say(
        "hello", RankSettings.VERSION,
        "token", settings.token(),
        "rank", settings.rank(),
        "ranks", settings.ranks(),
        "plan", settings.plan(),
        "port", port);
  }

  private void carryOut(Fields order, Flow flow, List<MemorySegment> buffers) throws IOException {
    Operation operation = Operation.read(order.object("operation"));
    List<Step> steps = Schedule.of(operation, settings.rank());
    if (order.flag("check")) {
      Checker checker = new Checker(operation, settings.rank(), buffers);
      checker.fill();
      flow.run(steps, operation.element());
      wire.say("done", true, "wrong", checker.wrong());
      return;
    }
    int iterations = order.integer("iterations");
    long[] nanos = new long[iterations];
    flow.run(barrier(operation.ranks()), operation.element());
    long before = System.nanoTime();
    for (int i = 0; i < iterations; i++) {
      flow.run(steps, operation.element());
      long now = System.nanoTime();
      nanos[i] = now - before;
      before = now;
    }
    wire.say("done", true, "nanos", nanos(nanos));
  }

  private static List<Long> nanos(long[] nanos) {
    return java.util.Arrays.stream(nanos).boxed().toList();
  }

  private List<Step> barrier(int ranks) {
    return Schedule.of(
        Operation.of(dev.holdfast.core.network.Collective.BARRIER, 0, Element.FLOAT, 0, ranks),
        settings.rank());
  }
}
