package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.os.cuda.Cuda;
import dev.holdfast.os.cuda.Nccl;
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
import java.util.Arrays;
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
  private boolean greeted;

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
      try (Performer performer = meet()) {
        wire.say("ready", true, "about", performer.about());
        while (true) {
          carryOut(orders.take(), performer);
        }
      }
    } catch (LinkFault fault) {
      tell("fault", String.valueOf(fault.getMessage()), fault.peer(), fault.ended());
    } catch (IOException | RuntimeException | OutOfMemoryError problem) {
      if (stop.get() == null) {
        tell("problem", why(problem), -1, false);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** An input or output problem says it in words; of others the kind matters, too. */
  private static String why(Throwable problem) {
    String message = problem.getMessage();
    return problem instanceof IOException && message != null ? message : problem.toString();
  }

  private void tell(String kind, String why, int peer, boolean ended) {
    try {
      if (!greeted) {
        // Whoever started us does not know yet who speaks, but sees what we print.
        giveUp(why);
      }
      wire.say(kind, why, "peer", peer, "ended", ended);
    } catch (IOException gone) {
      // Then nobody needs to know.
    }
  }

  private Performer meet() throws IOException, InterruptedException {
    if (settings.transport() == Transport.NCCL) {
      return meetOnGpus();
    }
    // Touched by this thread first, so that the memory is near its core.
    long bytes = Math.max(4096, settings.bytes());
    List<MemorySegment> buffers =
        List.of(
            Arena.global().allocate(bytes, 4096),
            Arena.global().allocate(settings.other() ? bytes : 4096, 4096));
    return new FlowPerformer(settings, buffers, mesh(), stop);
  }

  private Performer meetOnGpus() throws IOException, InterruptedException {
    Cuda cuda = Cuda.open(settings.rank());
    Nccl nccl = nccl();
    hello(0, settings.rank() == 0 ? nccl.newId() : "");
    return new NcclPerformer(settings, cuda, nccl, orders.take().text("id"));
  }

  private static Nccl nccl() throws IOException {
    List<String> files = NcclFiles.of(System.getenv(), Path.of("/"));
    for (String file : files) {
      try {
        return new Nccl(file);
      } catch (IOException missing) {
        // Perhaps the next one.
      }
    }
    throw new IOException(
        "NCCL is not found: tried "
            + String.join(", ", files)
            + "; HOLDFAST_NCCL names the file, LD_LIBRARY_PATH its folder");
  }

  private Mesh mesh() throws IOException, InterruptedException {
    if (settings.transport() == Transport.SHM) {
      hello(0, "");
      orders.take();
      return new SharedMesh(
          Path.of(settings.place()),
          settings.rank(),
          settings.ranks(),
          settings.room(),
          settings.ownCore());
    }
    try (SocketMeeting meeting = new SocketMeeting(settings)) {
      hello(meeting.port(), "");
      return meeting.meet(orders.take().integers("peers"), MEETING_NANOS);
    }
  }

  private void hello(int port, String id) throws IOException {
    greeted = true;
    wire.say(
        "hello", RankSettings.VERSION,
        "token", settings.token(),
        "rank", settings.rank(),
        "ranks", settings.ranks(),
        "plan", settings.plan(),
        "port", port,
        "id", id);
  }

  private void carryOut(Fields order, Performer performer) throws IOException {
    Operation operation = Operation.read(order.object("operation"));
    if (order.flag("check")) {
      wire.say("done", true, "wrong", performer.check(operation));
    } else {
      long[] nanos = performer.time(operation, order.integer("iterations"));
      if (order.flag("brief")) {
        // The median: the first calls are the ones that are compiled.
        Arrays.sort(nanos);
        wire.say(
            "done", true, "median", nanos[nanos.length / 2], "total", Arrays.stream(nanos).sum());
      } else {
        wire.say("done", true, "nanos", Arrays.stream(nanos).boxed().toList());
      }
    }
  }
}
