package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.bench.ledger.MachineFacts;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.cuda.Cuda;
import dev.holdfast.os.cuda.Nccl;
import dev.holdfast.os.libc.CpuTime;
import dev.holdfast.os.process.Exhaustion;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
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
  private static final int DOOR_MILLIS = 10_000;

  /** Somebody is heard of twice a second; after so many silences he is gone. */
  private static final int SILENCES = 2;

  private static final double LEAST_PATIENCE = 10;

  /**
   * Nobody is heard of while cores that are apart are waited for. Ranks with a core of that kind
   * have their parent on the same machine, and learn of its end at once in another way.
   */
  private static final double LEAST_PATIENCE_WITH_A_CORE = 1.25 * CoreWatch.MOST_SECONDS;

  private final RankSettings settings;
  private final Wire wire;
  private final InetAddress reached;

  /** Asked for before any thread is bound: one that is sees a machine of one core. */
  private final Map<String, String> facts = MachineFacts.all();

  private boolean greeted;
  private volatile Runnable knocking = () -> {};
  private volatile FarBytes far = new FarBytes("");
  private final AtomicReference<@Nullable String> stop = new AtomicReference<>();
  private final AtomicReference<@Nullable String> abandoned = new AtomicReference<>();
  private final LinkedBlockingQueue<Fields> orders = new LinkedBlockingQueue<>();

  private RankProcess(RankSettings settings, Wire wire, InetAddress reached) {
    this.settings = settings;
    this.wire = wire;
    this.reached = reached;
  }

  public static void main(String[] arguments) throws IOException {
    Exhaustion.endsProcess();
    run();
  }

  /** Is a rank, by what its input says, until it is told to end. */
  public static void run() throws IOException {
    BufferedReader input =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    String line = input.readLine();
    if (line == null) {
      throw new IOException("no settings");
    }
    RankSettings settings = settings(line);
    Thread.ofPlatform().daemon().name("parent").start(() -> endWithParent(input));
    InetSocketAddress door =
        new InetSocketAddress(InetAddress.ofLiteral(settings.host()), settings.port());
    try (Socket socket = new Socket()) {
      try {
        socket.connect(door, DOOR_MILLIS);
      } catch (IOException unreachable) {
        end(
            "rank %d cannot reach %s:%d, where it was started from: %s; --address names another address"
                .formatted(
                    settings.rank(), settings.host(), settings.port(), unreachable.getMessage()));
      }
      try (Wire wire = new Wire(socket)) {
        new RankProcess(settings, wire, socket.getLocalAddress()).obey();
      }
    }
  }

  private static RankSettings settings(String line) {
    try {
      return RankSettings.read(line);
    } catch (IllegalArgumentException other) {
      throw end(String.valueOf(other.getMessage()));
    }
  }

  /** Whoever started us reads this. */
  private static IllegalStateException end(String why) {
    try {
      new FileOutputStream(FileDescriptor.out).write((why + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException nobodyListens) {
      // Then nobody needs to know.
    }
    Runtime.getRuntime().halt(GAVE_UP);
    return new IllegalStateException(why);
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
    double patience = patience(settings);
    wire.patience((int) Math.min(Integer.MAX_VALUE, patience * 1000));
    try {
      for (Fields message = wire.hear(); message != null; message = wire.hear()) {
        hear(message);
      }
    } catch (SocketTimeoutException silence) {
      giveUp("nothing was heard of whoever started this rank for %.0f s".formatted(patience));
    }
    giveUp("whoever started this rank is gone");
  }

  static double patience(RankSettings settings) {
    return Math.max(
        settings.seat().core() >= 0 ? LEAST_PATIENCE_WITH_A_CORE : LEAST_PATIENCE,
        SILENCES * settings.silenceSeconds());
  }

  private void hear(Fields message) throws IOException {
    if (message.has("ping")) {
      wire.say("pong", message.number("ping"));
    } else if (message.has("look")) {
      // What the other thread counted before it last spoke is seen under the same lock.
      synchronized (wire) {
        wire.say("looked", LoadSample.now(far.now()).tree());
      }
    } else if (message.has("stop")) {
      giveUp(message.text("stop"));
    } else if (message.has("end")) {
      Runtime.getRuntime().halt(0);
    } else if (message.has("refused")) {
      giveUp("refused: " + message.text("refused"));
    } else if (message.has("knock")) {
      Thread.ofVirtual().start(knocking);
    } else if (message.has("abandon")) {
      abandoned.set(message.text("abandon"));
    } else {
      orders.add(message);
    }
  }

  private void giveUp(String why) {
    stop.compareAndSet(null, why);
    throw end("rank " + settings.rank() + " gives up: " + stop.get());
  }

  /** What the thread that has the core does. */
  private void work() {
    try {
      boolean ownCore = settings.seat().take();
      if (settings.pairs()) {
        pairs(ownCore);
        return;
      }
      try (Performer performer = meet(ownCore)) {
        wire.say("ready", true, "bound", ownCore, "about", performer.about());
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
    if (problem instanceof OutOfMemoryError) {
      return "it ran out of memory (" + message + ")";
    }
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

  /** The address others reach this rank at. */
  private InetAddress own() throws IOException {
    return settings.network().isEmpty() ? reached : NetAddress.of(settings.network());
  }

  private Performer meet(boolean ownCore) throws IOException, InterruptedException {
    if (settings.transport() == Transport.NCCL) {
      return meetOnGpus();
    }
    List<MemorySegment> buffers = buffers();
    return new FlowPerformer(settings, settings.rank(), buffers, mesh(ownCore), stop);
  }

  /** Touched by this thread first, so that the memory is near its core. */
  private List<MemorySegment> buffers() throws IOException {
    long bytes = Math.max(4096, settings.bytes());
    try {
      return List.of(
          Arena.global().allocate(bytes, 4096),
          Arena.global().allocate(settings.other() ? bytes : 4096, 4096));
    } catch (OutOfMemoryError none) {
      throw new IOException(
          "there is not enough memory for its %s of %s: choose a smaller size (--max-bytes)"
              .formatted(settings.other() ? "two buffers" : "buffer", Bytes.of(bytes)),
          none);
    }
  }

  private Performer meetOnGpus() throws IOException, InterruptedException {
    RdmaLimit.require(System.getenv(), Path.of("/"));
    Cuda cuda = Cuda.open(settings.seat().index());
    Nccl nccl = nccl();
    hello(reached, 0, settings.rank() == 0 ? nccl.newId() : "");
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

  private Mesh mesh(boolean ownCore) throws IOException, InterruptedException {
    if (settings.transport() == Transport.SHM) {
      hello(reached, 0, "");
      orders.take();
      return new SharedMesh(
          Path.of(settings.place()), settings.rank(), settings.ranks(), settings.room(), ownCore);
    }
    InetAddress own = own();
    // Stays open to the end: when nothing moves, others knock there.
    SocketMeeting meeting = new SocketMeeting(settings, own);
    far = meeting.far();
    hello(own, meeting.port(), "");
    List<SocketMeeting.Place> places = new ArrayList<>();
    for (Fields peer : orders.take().objects("peers")) {
      places.add(new SocketMeeting.Place(peer.text("address"), peer.integer("port")));
    }
    knocking = () -> knock(meeting, places);
    return meeting.meet(places, MEETING_NANOS, ownCore, stop);
  }

  /** Says which ranks cannot be reached now. */
  private void knock(SocketMeeting meeting, List<SocketMeeting.Place> places) {
    Map<Integer, String> far = new ConcurrentHashMap<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int peer = 0; peer < places.size(); peer++) {
        int rank = peer;
        if (rank != settings.rank()) {
          threads.execute(() -> far.put(rank, meeting.knock(rank, places.get(rank))));
        }
      }
    }
    List<Map<String, @Nullable Object>> unreached = new ArrayList<>();
    far.forEach(
        (rank, why) -> {
          if (!why.isEmpty()) {
            unreached.add(Json.map("rank", rank, "why", why));
          }
        });
    try {
      wire.say("knocked", unreached);
    } catch (IOException gone) {
      // Then nobody needs to know.
    }
  }

  private void pairs(boolean ownCore) throws IOException, InterruptedException {
    List<MemorySegment> buffers = buffers();
    InetAddress own = own();
    try (SocketMeeting meeting = new SocketMeeting(settings, own)) {
      far = meeting.far();
      hello(own, meeting.port(), "");
      new PairRank(settings, wire, meeting, buffers, ownCore, abandoned).obey(orders);
    }
  }

  private void hello(InetAddress own, int port, String id) throws IOException {
    greeted = true;
    wire.say(
        "hello", RankSettings.VERSION,
        "token", settings.token(),
        "rank", settings.rank(),
        "ranks", settings.ranks(),
        "plan", settings.plan(),
        "address", own.getHostAddress(),
        "port", port,
        "card", NetAddress.card(own),
        "facts", facts,
        "id", id);
  }

  private void carryOut(Fields order, Performer performer) throws IOException {
    Operation operation = Operation.read(order.object("operation"));
    if (order.flag("check")) {
      wire.say("done", true, "wrong", performer.check(operation));
    } else {
      long before = CpuTime.ofOthers();
      long[] nanos = performer.time(operation, order.integer("iterations"));
      long others = CpuTime.ofOthers() - before;
      if (order.flag("brief")) {
        // The median: the first calls are the ones that are compiled.
        Arrays.sort(nanos);
        wire.say(
            "done",
            true,
            "median",
            nanos[nanos.length / 2],
            "total",
            Arrays.stream(nanos).sum(),
            "others",
            others);
      } else {
        wire.say("done", true, "nanos", Arrays.stream(nanos).boxed().toList(), "others", others);
      }
    }
  }
}
