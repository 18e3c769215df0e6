package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.network.Collective;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every operation over every real transport brings the right values. Ranks are threads here, so
 * that many combinations take little time.
 */
class CollectivesTest {
  private static final long LARGEST = 2 << 20;
  private static final long PATIENCE = 60_000_000_000L;
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "TCP,2,1",
    "TCP,3,3",
    "TCP,5,1",
    "UNIX,2,2",
    "UNIX,4,1",
    "SHM,2,1",
    "SHM,3,1",
    "SHM,6,1"
  })
  void everyOperationBringsTheRightValues(Transport transport, int ranks, int streams)
      throws Exception {
    List<Operation> operations = operations(ranks);
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks);
        RankPlaces places = RankPlaces.of(transport, ranks);
        Ranks all = new Ranks(transport, ranks, streams, places)) {
      List<Future<List<String>>> answers =
          IntStream.range(0, ranks)
              .mapToObj(rank -> threads.submit(() -> all.wrong(rank, operations)))
              .toList();
      for (Future<List<String>> answer : answers) {
        assertThat(answer.get(2, TimeUnit.MINUTES)).isEmpty();
      }
    }
  }

  /** More than a ring of shared memory holds, once. */
  private static long[] sizes(Element element) {
    return element == Element.FLOAT
        ? new long[] {4, 1000, 70_004, LARGEST}
        : new long[] {4, 1000, 200_000};
  }

  private static List<Operation> operations(int ranks) {
    List<Operation> operations = new ArrayList<>();
    for (Element element : Element.values()) {
      for (long bytes : sizes(element)) {
        for (Collective collective :
            List.of(
                Collective.ALL_REDUCE,
                Collective.ALL_GATHER,
                Collective.REDUCE_SCATTER,
                Collective.BROADCAST,
                Collective.REDUCE,
                Collective.ALL_TO_ALL,
                Collective.GATHER,
                Collective.SCATTER,
                Collective.BARRIER)) {
          operations.add(Operation.of(collective, bytes, element, ranks - 1, ranks));
        }
        Operation sum = Operation.of(Collective.ALL_REDUCE, bytes, element, 0, ranks);
        operations.add(sum.by(Algorithm.RING));
        operations.add(sum.by(Algorithm.DOUBLING));
        operations.add(sum.by(Algorithm.HALVING));
        if (4 * bytes <= LARGEST) {
          operations.add(sum.inPieces(4));
        }
      }
    }
    for (Collective collective :
        List.of(Collective.LATENCY, Collective.BANDWIDTH, Collective.BIDIRECTIONAL)) {
      operations.add(Operation.of(collective, 40_000, Element.FLOAT, 0, ranks));
    }
    operations.addAll(DoneFlag.operations(ranks, Transport.SHM));
    return operations;
  }

  /** The settings of all ranks and, over sockets, where each listens. */
  private static final class Ranks implements AutoCloseable {
    private final List<RankSettings> settings = new ArrayList<>();
    private final List<SocketMeeting> meetings = new ArrayList<>();
    private final List<SocketMeeting.Place> places = new ArrayList<>();

    Ranks(Transport transport, int ranks, int streams, RankPlaces files) throws IOException {
      for (int rank = 0; rank < ranks; rank++) {
        RankSettings its =
            new RankSettings(
                "127.0.0.1",
                0,
                TOKEN,
                rank,
                ranks,
                "test",
                transport,
                streams,
                "",
                RankSeat.NONE,
                files.path().toString(),
                files.room(),
                LARGEST,
                true,
                false,
                60);
        settings.add(its);
        if (transport != Transport.SHM) {
          SocketMeeting meeting = new SocketMeeting(its, InetAddress.getLoopbackAddress());
          meetings.add(meeting);
          places.add(new SocketMeeting.Place("127.0.0.1", meeting.port()));
        }
      }
    }

    private Mesh mesh(int rank) throws IOException {
      RankSettings its = settings.get(rank);
      return its.transport() == Transport.SHM
          ? new SharedMesh(Path.of(its.place()), rank, its.ranks(), its.room(), false)
          : meetings.get(rank).meet(places, PATIENCE, false, new AtomicReference<>());
    }

    List<String> wrong(int rank, List<Operation> operations) throws IOException {
      List<String> wrong = new ArrayList<>();
      try (Arena arena = Arena.ofShared();
          Mesh mesh = mesh(rank)) {
        List<MemorySegment> buffers =
            List.of(arena.allocate(LARGEST, 64), arena.allocate(LARGEST, 64));
        Flow flow = new Flow(mesh, buffers, PATIENCE, new AtomicReference<>());
        for (Operation operation : operations) {
          long count = wrong(operation, rank, flow, buffers);
          if (count > 0) {
            wrong.add("rank " + rank + ": " + operation + ": " + count + " wrong");
          }
        }
        // Nobody closes a link that others still read from.
        flow.run(
            Schedule.of(
                Operation.of(Collective.BARRIER, 0, Element.FLOAT, 0, settings.size()), rank),
            Element.FLOAT);
      }
      return wrong;
    }

    private static long wrong(Operation operation, int rank, Flow flow, List<MemorySegment> buffers)
        throws IOException {
      if (operation.algorithm() == Algorithm.OBJECT) {
        ObjectGather gather = ObjectGather.over(flow, operation.ranks(), rank, buffers.getFirst());
        gather.fill();
        long before = gather.wrong();
        gather.run();
        return before == operation.ranks() ? gather.wrong() : Long.MAX_VALUE;
      }
      Checked checker = Checker.of(operation, rank, buffers);
      checker.fill();
      flow.run(Schedule.of(operation, rank), operation.element());
      return checker.wrong();
    }

    @Override
    public void close() {
      meetings.forEach(SocketMeeting::close);
    }
  }
}
