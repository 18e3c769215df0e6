package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetDiff;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.Verdict;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Each benchmark's output in its own units, and what becomes of it in ours. */
class ImportersTest {
  private static final Offset<Double> CLOSE = within(1e-9);
  private static final Offset<Double> PRINTED = within(0.006);

  private static Imported read(String name, String text) {
    return Importers.read(new Log(name, text), Optional.empty(), Hints.NONE);
  }

  private static Imported read(String text) {
    return read("stdin", text);
  }

  private static Imported read(String text, int ranks) {
    return Importers.read(
        new Log("stdin", text),
        Optional.empty(),
        new Hints(OptionalInt.of(ranks), Optional.empty()));
  }

  private static NetResult only(Imported imported) {
    assertThat(imported.results()).hasSize(1);
    return imported.results().getFirst();
  }

  /** As of 2.13 and later: a version, groups, a root, counts of wrong values. */
  private static final String NCCL_NEW =
      """
      # nccl-tests version 2.17.1 nccl-headers=22803 nccl-library=22803
      # Collective test starting: all_reduce_perf
      # nThread 1 nGpus 1 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0
      #
      # Using devices
      #  Rank  0 Group  0 Pid   7001 on      node1 device  0 [0000:1b:00] Toy GPU
      #  Rank  1 Group  0 Pid   7002 on      node1 device  1 [0000:43:00] Toy GPU
      #  Rank  2 Group  0 Pid   4001 on      node2 device  0 [0000:1b:00] Toy GPU
      #  Rank  3 Group  0 Pid   4002 on      node2 device  1 [0000:43:00] Toy GPU
      #
      #                                                              out-of-place                       in-place
      #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
      node1:7001:7044 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM
                 8             2     float     sum      -1    20.00    0.00    0.00      0    21.00    0.00    0.00      0
           1048576        262144     float     sum      -1    52.43   20.00   30.00      0    65.54   16.00   24.00      3
      # Out of bounds values : 3 FAILED
      # Avg bus bandwidth    : 13.5
      #
      """;

  @Test
  void ncclTestsOfToday() {
    Imported imported = read(NCCL_NEW);
    assertThat(imported.tool()).isEqualTo("nccl-tests");
    assertThat(imported.about())
        .containsEntry("hosts", "node1,node2")
        .containsEntry("device", "Toy GPU")
        .containsEntry("nccl", "22803");
    assertThat(imported.notes()).isEmpty();
    assertThat(imported.results()).hasSize(4);
    NetResult small = imported.results().getFirst();
    assertThat(small.ranks()).isEqualTo(4);
    assertThat(small.algbw()).as("more digits than were printed").isCloseTo(0.0004, CLOSE);
    NetResult large = imported.results().getLast();
    assertThat(large.variant()).isEqualTo("in-place");
    assertThat(large.collective()).isEqualTo(Collective.ALL_REDUCE);
    assertThat(large.busbw()).isCloseTo(24, PRINTED);
    assertThat(large.latency().mean()).isCloseTo(65.54e-6, CLOSE);
    assertThat(large.wrong()).isEqualTo(3);
  }

  @Test
  void ncclTestsWithSingleIterationsAndTimes() {
    String text =
        """
        # Collective test starting: sendrecv_perf
        #  Rank  0 Group  0 Pid   7001 on      node1 device  0 [0000:1b:00] Toy GPU
        #  Rank  1 Group  0 Pid   7002 on      node1 device  1 [0000:43:00] Toy GPU
        #       size         count      type   redop    root  cputime   algbw   busbw #wrong   i_min   i_max   i_p99   i_cv%  cputime   algbw   busbw #wrong   i_min   i_max   i_p99   i_cv%             timestamp
             1000000        250000     float     sum      -1   100.00   10.00   10.00      0   90.00  200.00  150.00   12.00   100.00   10.00   10.00    N/A   91.00  201.00  151.00   12.00   2026-11-15 10:00:00
        """;
    Imported imported = read(text);
    assertThat(imported.results()).hasSize(2);
    NetResult out = imported.results().getFirst();
    assertThat(out.collective()).isEqualTo(Collective.SEND_RECV);
    assertThat(out.latency().min()).isCloseTo(90e-6, CLOSE);
    assertThat(out.latency().p99()).isCloseTo(150e-6, CLOSE);
    assertThat(out.latency().max()).isCloseTo(200e-6, CLOSE);
    assertThat(imported.results().getLast().wrong()).isEqualTo(NetResult.NOT_CHECKED);
  }

  /** No version, no root, no operation for an exchange, an error instead of a count. */
  private static final String NCCL_OLD =
      """
      # nThread 1 nGpus 4 minBytes 1 maxBytes 8388608 step: 2(factor) warmup iters: 5 iters: 20 validation: 0
      # Using devices
      #   Rank  0 Pid 112424 on localhost device  0 [0x00] Old GPU
      #   Rank  1 Pid 112424 on localhost device  1 [0x00] Old GPU
      #   Rank  2 Pid 112424 on localhost device  2 [0x00] Old GPU
      #   Rank  3 Pid 112424 on localhost device  3 [0x00] Old GPU
      #       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
      #        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
                 0             0   float             1.63    0.00    0.00    N/A     1.38    0.00    0.00    N/A
           8388608        524288   float           104.86   80.00   60.00  0e+00    83.89   99.99   75.00    N/A
      """;

  @Test
  void ncclTestsOfOldTellTheCollectiveByTheNameOfTheFile() {
    Imported imported = read("nccl_alltoall.log", NCCL_OLD);
    assertThat(imported.results()).hasSize(2);
    assertThat(imported.results().getFirst().collective()).isEqualTo(Collective.ALL_TO_ALL);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(60, PRINTED);
    assertThat(imported.results().getFirst().wrong()).isZero();
    assertThat(imported.notes()).anyMatch(it -> it.startsWith("2 figures of size 0"));
  }

  @Test
  void nothingIsAssumedAboutAnUnnamedCollective() {
    assertThatThrownBy(() -> read(NCCL_OLD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--collective");
    assertThat(
            Importers.read(
                    new Log("stdin", NCCL_OLD),
                    Optional.of("nccl-tests"),
                    new Hints(OptionalInt.empty(), Optional.of(Collective.ALL_GATHER)))
                .results()
                .getFirst()
                .collective())
        .isEqualTo(Collective.ALL_GATHER);
  }

  @Test
  void aReducingCollectiveIsToldByTheRatioOfItsBandwidths() {
    String rows =
        """
        #       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
             8388608       2097152   float     sum   104.86   80.00  120.00  N/A    104.86   80.00  120.00    N/A
        """;
    Imported imported = read(rows, 4);
    assertThat(imported.results().getFirst().collective()).isEqualTo(Collective.ALL_REDUCE);
    assertThat(imported.notes()).anyMatch(it -> it.startsWith("all_reduce, as the ratio"));
    Imported ranks = read("all_reduce.txt", rows);
    assertThat(ranks.results().getFirst().ranks()).isEqualTo(4);
  }

  @Test
  void figuresThatDisagreeAreTakenAsPrintedAndSaid() {
    String text = NCCL_NEW.replace("52.43   20.00   30.00", "52.43   40.00   60.00");
    Imported imported = read(text);
    assertThat(imported.results().get(2).busbw()).isEqualTo(60);
    assertThat(imported.notes()).anyMatch(it -> it.contains("other bandwidths than those printed"));
  }

  @Test
  void ncclTestsJson() {
    Imported imported =
        read(
            """
            {"version":2,"args":["./build/reduce_scatter_perf","-J","out.json"],
             "env":["API_TOKEN=hunter2"],"nccl_version":22803,
             "config":{"nthreads":1,"ngpus":2,"blocking_collectives":"false","devices":[
               {"rank":0,"group":0,"hostname":"node1","device_info":"Toy GPU"},
               {"rank":2,"group":0,"hostname":"node2","device_info":"Toy GPU"}]},
             "results":[
              {"size":0,"count":0,"type":"float","redop":"sum","root":"    -1",
               "out_of_place":{"time":1.0,"alg_bw":"nan","bus_bw":"nan","nwrong":null},"in_place":null},
              {"size":1000000,"count":62500,"type":"bfloat16","redop":"sum","root":"    -1",
               "out_of_place":{"time":50.0,"alg_bw":20.0,"bus_bw":15.0,"nwrong":0.0},
               "out_of_place_per_iter":{"min_us":48.0,"max_us":61.0,"p50_us":49.5,"p99_us":60.0},
               "in_place":{"time":40.0,"alg_bw":25.0,"bus_bw":18.75,"nwrong":null}}],
             "average_bus_bandwidth":{"bandwidth":16.9,"okay":"unchecked"}}
            """);
    assertThat(imported.results()).hasSize(2);
    NetResult first = imported.results().getFirst();
    assertThat(first.collective()).isEqualTo(Collective.REDUCE_SCATTER);
    assertThat(first.ranks()).as("two processes with two devices each").isEqualTo(4);
    assertThat(first.busbw()).isCloseTo(15, CLOSE);
    assertThat(first.latency().p50()).isCloseTo(49.5e-6, CLOSE);
    assertThat(first.wrong()).isZero();
    assertThat(imported.results().getLast().wrong()).isEqualTo(NetResult.NOT_CHECKED);
    assertThat(imported.about().toString()).doesNotContain("hunter2");
  }

  @Test
  void allReduceBench() {
    Imported imported =
        read(
            """
            Environment:
            - software: torch=2.9.0, cuda=12.8, nccl=(2, 27, 5)
            - hardware: _CudaDeviceProperties(name='Toy GPU')

            The average bandwidth of all_reduce over 4 ranks (5 warmups / 20 trials):

            | payload |    busbw   |    algbw   |
            | ------: | ---------: | ---------: |
            |   32KiB |   1.50GBps |   1.00GBps |
            |    2GiB |  90.00GBps |  60.00GBps |
            Legend: 1KiB = 2**10Bytes, 1MiB = 2**20Bytes, 1GiB = 2**30Bytes
            """);
    assertThat(imported.results()).extracting(NetResult::bytes).containsExactly(32768L, 1L << 31);
    assertThat(imported.results().getLast().busbw()).isEqualTo(90);
    assertThat(imported.results().getLast().ranks()).isEqualTo(4);
    assertThat(imported.about().get("software")).contains("torch=2.9.0");
  }

  @Test
  void allReduceBenchIterationByIteration() {
    Imported imported =
        read(
            """
                The 0.5GiB payload bandwidth of all_reduce over 8 ranks (5 warmups / 3 trials):

                |    busbw   |    algbw   |
                | ---------: | ---------: |
                | 175.00GBps | 100.00GBps |
                |  87.50GBps |  50.00GBps |
                | 173.25GBps |  99.00GBps |
                """);
    NetResult result = only(imported);
    assertThat(result.bytes()).isEqualTo(1L << 29);
    assertThat(result.rounds()).as("one run is one round").isEmpty();
    assertThat(imported.notes()).singleElement().asString().contains("from 51 to 101 %");
    assertThat(result.busbw()).isEqualTo(173.25);
  }

  @Test
  void allReduceBenchOfOld() {
    NetResult result =
        only(
            read(
                """
                The average bandwidth of all_reduce with a 4.0GB payload (5 trials, 4 ranks):
                 algbw: 20.000 GBps (160.0 Gbps)
                 busbw: 30.000 GBps (240.0 Gbps)
                """));
    assertThat(result.bytes()).isEqualTo(4_000_000_000L);
    assertThat(result.busbw()).isEqualTo(30);
  }

  @Test
  void osuBetweenTwoRanks() {
    Imported imported =
        read(
            """
            # OSU MPI Latency Test v5.3
            # Size          Latency (us)
            0                       1.05
            8                       1.10
            # OSU MPI Bandwidth Test v5.3
            # Size      Bandwidth (MB/s)
            4194304              2850.00
            # OSU MPI Bi-Directional Bandwidth Test v5.3
            # Size      Bandwidth (MB/s)
            4194304              5000.00
            """);
    assertThat(imported.results())
        .extracting(NetResult::collective)
        .containsExactly(
            Collective.LATENCY, Collective.LATENCY, Collective.BANDWIDTH, Collective.BIDIRECTIONAL);
    assertThat(imported.results().get(1).figure()).isCloseTo(1.10e-6, CLOSE);
    assertThat(imported.results().get(2).busbw()).isCloseTo(2.85, CLOSE);
    assertThat(imported.results().get(3).busbw()).isCloseTo(5, CLOSE);
  }

  @Test
  void osuCollectivesNeedTheirRanksAndCountTheWhole() {
    String text =
        """
        # OSU MPI-CUDA Allgather Latency Test v7.3
        # Datatype: MPI_CHAR.
        # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
        [node1:903] [warning] something evicted
        1000000               500.00            480.00            520.00        100
        """;
    assertThatThrownBy(() -> read(text)).hasMessageContaining("--ranks");
    Imported imported = read(text, 4);
    NetResult result = only(imported);
    assertThat(result.bytes()).isEqualTo(4_000_000);
    assertThat(result.algbw()).isCloseTo(8, CLOSE);
    assertThat(result.busbw()).isCloseTo(6, CLOSE);
    assertThat(result.latency().max()).isCloseTo(520e-6, CLOSE);
    assertThat(result.type()).isEqualTo("char");
    assertThat(imported.notes()).anyMatch(it -> it.contains("multiplied by the ranks"));
  }

  @Test
  void osuBarriersHaveATimeOnly() {
    NetResult result =
        only(
            read(
                """
                # OSU MPI Barrier Latency Test v5.3
                # Avg Latency(us)
                             12.50
                """,
                8));
    assertThat(result.collective()).isEqualTo(Collective.BARRIER);
    assertThat(result.figure()).isCloseTo(12.5e-6, CLOSE);
    assertThat(result.busbw()).isNaN();
  }

  @Test
  void perftestsMegabytesAreMebibytes() {
    Imported imported =
        read(
            """
                                RDMA_Write BW Test
             Dual-port       : OFF          Device         : mlx5_0
             Mtu             : 4096[B]
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
             65536      5000             23500.00            23400.00                  0.374400
             65536      5000             23500.00            23400.00                  0.374400
            """);
    NetResult result = only(imported);
    assertThat(result.busbw()).isCloseTo(24.5366784, CLOSE);
    assertThat(result.rounds()).as("both sides printed the same row").isEmpty();
    assertThat(result.variant()).isEqualTo("rdma_write");
    assertThat(imported.about()).containsEntry("device", "mlx5_0");
    assertThat(imported.notes())
        .containsExactly("what is printed as MB/sec is MiB/sec and is taken as that");
  }

  @Test
  void perftestInGigabitsAndItsLatency() {
    Imported imported =
        read(
            """
                                Send Bidirectional BW Test
             #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
             65536      1000             0.00               392.00               0.747681
                                RDMA_Write Latency Test
             #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
            Conflicting CPU frequency values detected: 2400.000000 != 1873.463000. CPU Frequency is not max.
             2       1000          1.76           6.12         1.79                1.80             0.06            1.88                    6.12
            """);
    assertThat(imported.results().getFirst().collective()).isEqualTo(Collective.BIDIRECTIONAL);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(49, CLOSE);
    NetResult latency = imported.results().getLast();
    assertThat(latency.figure()).isCloseTo(1.79e-6, CLOSE);
    assertThat(latency.latency().p99()).isCloseTo(1.88e-6, CLOSE);
    assertThat(imported.notes()).isEmpty();
  }

  @Test
  void deepSpeedsThroughputIsNotAlgbw() {
    Imported imported =
        read(
            """
            node1: ---- Performance of all_reduce on 8 devices ---------------------------------------------------------
            node1: Size (Bytes)         Description               Duration             Throughput (Gbps)    BusBW (Gbps)
            node1: ----------------------------------------------------------------------------------------------------
            node1: 1.0 MB               262144x4                  419.430 us           40.000               35.000
            node1: 64.0 MB              16777216x4                10.000 ms            107.374              93.952
            ---- Performance of all_gather on 8 devices ---------------------------------------------------------
            Size (Bytes)         Description               Duration (us)        Throughput (GBps)    BusBW (GBps)
            1000000              250000x4                  1000.000             8.000                7.000
            """);
    assertThat(imported.results()).hasSize(3);
    NetResult first = imported.results().getFirst();
    assertThat(first.bytes()).isEqualTo(1 << 20);
    assertThat(first.algbw()).as("printed: 40 Gb/s").isCloseTo(2.5, PRINTED);
    assertThat(first.busbw()).isCloseTo(35.0 / 8, PRINTED);
    assertThat(imported.results().get(1).busbw()).isCloseTo(93.952 / 8, PRINTED);
    NetResult gathered = imported.results().getLast();
    assertThat(gathered.bytes()).as("of all ranks").isEqualTo(8_000_000);
    assertThat(gathered.busbw()).isCloseTo(7, PRINTED);
    assertThat(imported.notes()).hasSize(1).allMatch(it -> it.contains("twice"));
  }

  @Test
  void gloosGigabytesAreGibibytes() {
    Imported imported =
        read(
            """
            Device:      tcp, pci=0000:04:00.0, iface=eth0, speed=40000, addr=[10.10.10.1]
            Algorithm:   allreduce_ring_chunked
            Options:     processes=2, inputs=1, threads=1

               elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples
                    100         30         40         90        400        0.009      50000
                5000000      15000      20000      25000      30000        0.931       1000
            """);
    assertThat(imported.results()).hasSize(2);
    NetResult small = imported.results().getFirst();
    assertThat(small.algbw()).as("0.009 has too few digits").isCloseTo(0.01, CLOSE);
    NetResult large = imported.results().getLast();
    assertThat(large.bytes()).isEqualTo(20_000_000);
    assertThat(large.algbw()).isCloseTo(0.931 * 1.073741824, CLOSE);
    assertThat(large.busbw()).isEqualTo(large.algbw());
    assertThat(large.latency().p99()).isCloseTo(0.025, CLOSE);
    assertThat(imported.notes())
        .containsExactly("what is printed as GB/s is GiB/s and is taken as that");
  }

  @Test
  void glooOfTodayTellsTheSize() {
    NetResult result =
        only(
            read(
                """
                ====================================================================================================
                                                        NEW_ALLREDUCE_RING

                Device:      tcp, pci=, iface=eth0, speed=-1, addr=[10.0.0.1]
                Options:     processes=4, inputs=1, threads=1, verify=true

                ====================================================================================================
                                                        BENCHMARK RESULTS

                   size (B)   elements   min (us)   p50 (us)   p99 (us)   max (us)   bandwidth (GB/s)   iterations
                    8000000    2000000       3000       4000       5000       6000              1.863          500
                """));
    assertThat(result.bytes()).isEqualTo(8_000_000);
    assertThat(result.ranks()).isEqualTo(4);
    assertThat(result.busbw()).isCloseTo(1.5 * 1.863 * 1.073741824, CLOSE);
  }

  @Test
  void glooElementsOfAnotherWidthAreRefused() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    Algorithm:   allreduce_halving_doubling
                    Options:     processes=2, inputs=1, threads=1

                       elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples
                        5000000      15000      20000      25000      30000        0.466       1000
                    """))
        .hasMessageContaining("four bytes");
  }

  private static final String IPERF =
      """
      {"start":{"version":"iperf 3.12","system_info":"Linux node1 6.1",
        "connected":[{"local_host":"10.0.0.1","remote_host":"10.0.0.2"}],
        "test_start":{"protocol":"TCP","num_streams":4,"blksize":131072,"reverse":0}},
       "intervals":[
        {"sum":{"seconds":1.0,"bits_per_second":1e9,"omitted":true}},
        {"sum":{"seconds":1.0,"bits_per_second":8e9,"omitted":false}},
        {"sum":{"seconds":1.0001,"bits_per_second":1.6e10,"omitted":false}},
        {"sum":{"seconds":0.01,"bits_per_second":4e8,"omitted":false}}],
       "end":{"sum_sent":{"bits_per_second":1.3e10,"retransmits":17},
              "sum_received":{"bits_per_second":1.2e10}}}
      """;

  @Test
  void iperfIsWhatTheReceiverCounted() {
    Imported imported = read(IPERF);
    NetResult result = only(imported);
    assertThat(result.busbw()).isCloseTo(1.5, CLOSE);
    assertThat(result.rounds()).as("one run is one round").isEmpty();
    assertThat(result.variant()).isEqualTo("tcp, 4 streams");
    assertThat(imported.notes())
        .as("neither the omitted interval nor the short one")
        .containsExactly(
            "17 segments were sent again",
            "what was measured several times in one run is one round; it was from 67 to 133 % of"
                + " the result");
    assertThat(imported.about()).containsEntry("hosts", "10.0.0.1,10.0.0.2");
  }

  @Test
  void aFailedIperfIsSaid() {
    String failed =
        """
        {"start":{},"intervals":[],"end":{"x":{"bits_per_second":0}},"error":"unable to connect"}
        """;
    assertThatThrownBy(() -> read(failed)).hasMessageContaining("unable to connect");
    assertThatThrownBy(() -> read("{\"error\": \"unable to connect to server\"}\n"))
        .hasMessage("iperf3 failed: unable to connect to server");
    String early =
        """
        {"start":{"connected":[],"version":"iperf 3.12"},"intervals":[],"end":{},
         "error":"error - the server is busy"}
        """;
    assertThatThrownBy(() -> read(early)).hasMessageContaining("the server is busy");
  }

  @Test
  void anEmptyFileIsCalledEmpty() {
    assertThatThrownBy(() -> read("")).hasMessageContaining("is empty");
    assertThatThrownBy(() -> read(" \n")).hasMessageContaining("is empty");
  }

  @Test
  void qperf() {
    Imported imported =
        read(
            """
            tcp_bw:
                bw        =  3.2 GB/sec
                msg_size  =   64 KiB (65,536)
            tcp_lat:
                latency  =  9.1 us
            udp_bw:
                send_bw  =  20 Gb/sec
                recv_bw  =  16 Gb/sec
            """);
    assertThat(imported.results()).hasSize(3);
    assertThat(imported.results().get(0).busbw()).isCloseTo(3.2, CLOSE);
    assertThat(imported.results().get(0).bytes()).isEqualTo(65536);
    assertThat(imported.results().get(1).figure()).isCloseTo(9.1e-6, CLOSE);
    assertThat(imported.results().get(1).variant()).isEqualTo("tcp");
    assertThat(imported.results().get(2).busbw()).as("the receiver's").isCloseTo(2, CLOSE);
  }

  @Test
  void ourOwnJsonComesBack() {
    NetResult result = only(read(IPERF));
    String json =
        Json.pretty(Json.map("schema", "holdfast.bench.net/1", "results", List.of(result.tree())));
    assertThat(read(json).results()).containsExactly(result);
  }

  @Test
  void whatLaunchersPutBeforeLinesIsTakenOff() {
    String tagged = NCCL_NEW.replaceAll("(?m)^", "[1,0]<stdout>:");
    assertThat(read(tagged).results()).isEqualTo(read(NCCL_NEW).results());
    String labelled = NCCL_NEW.replaceAll("(?m)^", "0: ");
    assertThat(read(labelled).results()).isEqualTo(read(NCCL_NEW).results());
  }

  /** The text up to and without the last occurrence of a word, and then a newline. */
  private static String cutBefore(String text, String word) {
    return text.substring(0, text.lastIndexOf(word)).stripTrailing() + "\n";
  }

  @Test
  void aRowOfNcclTestsThatWasCutOffIsLeftOutWhereverItWasCut() {
    String last = "     1048576        262144     float     sum      -1    52.43   20.00   30.00";
    String text =
        NCCL_NEW.substring(0, NCCL_NEW.indexOf(last)) + last + "      0    65.54   16.00   24.00";
    List<NetResult> whole = read(NCCL_NEW).results().subList(0, 2);
    int row = text.lastIndexOf('\n') + 1;
    String type = "     1048576        262144     fl";
    for (int end = row + type.length(); end <= text.length(); end++) {
      String cut = text.substring(0, end);
      Imported imported = read(cut);
      assertThat(imported.results()).as(cut.substring(row)).isEqualTo(whole);
      assertThat(imported.notes())
          .as(cut.substring(row))
          .anyMatch(it -> it.matches("line 16 is left out: \\d+ columns where 13 were expected.*"));
    }
  }

  @Test
  void aRowOfNcclTestsOfOldWithoutAnOperationIsCutOffToo() {
    String cut = cutBefore(NCCL_OLD, "N/A").replaceFirst("(?m)^ +0 .*\n", "");
    assertThatThrownBy(() -> read("alltoall.log", cut))
        .hasMessageContaining("no row of results")
        .hasMessageContaining("line 9 is left out: 10 columns where 11 were expected");
  }

  @Test
  void ncclTestsThatMeasuredInPlaceOnlyLeaveAHalfBlank() {
    String text =
        NCCL_NEW.replace("    52.43   20.00   30.00      0    65.54", " ".repeat(32) + "    65.54");
    Imported imported = read(text);
    assertThat(imported.results()).hasSize(3);
    assertThat(imported.results().getLast().variant()).isEqualTo("in-place");
    assertThat(imported.results().getLast().busbw()).isCloseTo(24, PRINTED);
  }

  @Test
  void aTimeThatCannotBeIsLeftOut() {
    Imported nccl = read(NCCL_NEW.replace("    52.43 ", "   -52.43 "));
    assertThat(nccl.results()).hasSize(2);
    assertThat(nccl.notes()).containsExactly("line 16 is left out: a time must be more than 0");
    Imported osu =
        read(
            """
            # OSU MPI Latency Test v5.3
            # Size          Latency (us)
            0                      -1.05
            4                       0.00
            8                       1.10
            """);
    assertThat(only(osu).bytes()).isEqualTo(8);
    assertThat(osu.notes())
        .containsExactly(
            "line 3 is left out: a time must be more than 0",
            "line 4 is left out: a time must be more than 0");
  }

  @Test
  void rowsOfPerftestAndOsuThatWereCutOffAreLeftOut() {
    String perftest =
        """
                            RDMA_Write BW Test
         #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
         4096       5000             23500.00            23400.00                  5.990400
         65536      5000             46950.10   4
        """;
    Imported imported = read(perftest);
    assertThat(only(imported).bytes()).isEqualTo(4096);
    assertThat(imported.notes())
        .contains("line 4 is left out: 4 columns where 5 were expected (was it cut off?)");
    String osu =
        """
        # OSU MPI Allreduce Latency Test v7.3
        # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
        1000                    5.00              4.00              6.00        100
        2000                    7.00              6.0
        """;
    assertThat(only(read(osu, 4)).bytes()).isEqualTo(1000);
    assertThat(read(osu, 4).notes())
        .containsExactly("line 4 is left out: 3 columns where 5 were expected (was it cut off?)");
  }

  @Test
  void rowsOfOtherBenchmarksThatWereCutOffAreLeftOut() {
    String markdown =
        """
        The average bandwidth of all_reduce over 4 ranks (5 warmups / 20 trials):
        | payload |    busbw   |    algbw   |
        | ------: | ---------: | ---------: |
        |   32KiB |   1.50GBps |   1.00GBps |
        |    2GiB |  90.00GBps |  60.0
        """;
    assertThat(only(read(markdown)).bytes()).isEqualTo(32768);
    assertThat(read(markdown).notes()).anyMatch(it -> it.startsWith("line 5 is left out"));
    String deepSpeed =
        """
        ---- Performance of all_gather on 8 devices -------------------------------------------
        Size (Bytes)         Description               Duration (us)        Throughput (GBps)    BusBW (GBps)
        1000000              250000x4                  1000.000             8.000                7.000
        2000000              500000x4                  2000.000             8.0
        """;
    assertThat(only(read(deepSpeed)).bytes()).isEqualTo(8_000_000);
    assertThat(read(deepSpeed).notes()).anyMatch(it -> it.startsWith("line 4 is left out"));
    String gloo =
        """
        Algorithm:   new_allreduce_ring
        Options:     processes=4, inputs=1, threads=1
           elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples
            2000000       3000       4000       5000       6000        1.863        500
            4000000       6000       8000       9000
        """;
    assertThat(only(read(gloo)).bytes()).isEqualTo(8_000_000);
    assertThat(read(gloo).notes()).anyMatch(it -> it.startsWith("line 5 is left out: 4 columns"));
    assertThatThrownBy(
            () -> read("tcp_bw:\n    bw        =  3.2 GB/sec\n    msg_size  =   1 MiB (1,0"))
        .hasMessageContaining("line 3 cannot be read");
  }

  @Test
  void aLastLineWithoutANewlineIsKeptAndSaid() {
    String text =
        """
        # OSU MPI Bandwidth Test v5.3
        # Size      Bandwidth (MB/s)
        4194304              512
        """;
    assertThat(read(text).notes()).isEmpty();
    Imported imported = read(text.stripTrailing());
    assertThat(only(imported).busbw()).isCloseTo(0.512, CLOSE);
    assertThat(imported.notes())
        .containsExactly(
            "line 3, the last, does not end in a newline: the file may be cut off there");
    assertThat(read(NCCL_NEW.stripTrailing()).notes()).as("a comment").isEmpty();
  }

  @Test
  void whatNobodyKnowsIsRefused() {
    assertThatThrownBy(() -> read("hello")).hasMessageContaining("nccl-tests");
    assertThatThrownBy(() -> read("# OSU MPI Latency Test v5.3\n"))
        .hasMessageContaining("no row of results");
  }

  @Test
  void twoSingleRunsTellNothingHoweverOftenEachMeasured() {
    String fast =
        """
        The 0.5GiB payload bandwidth of all_reduce over 8 ranks (5 warmups / 6 trials):
        | 175.10GBps | 100.00GBps |
        | 175.20GBps | 100.10GBps |
        | 175.30GBps | 100.20GBps |
        | 175.40GBps | 100.30GBps |
        | 175.50GBps | 100.40GBps |
        | 175.60GBps | 100.50GBps |
        """;
    NetDiff diff =
        NetDiff.between(read(fast).results(), read(fast.replace("175.", "145.")).results());
    assertThat(diff.ratio()).isLessThan(0.9);
    assertThat(diff.verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void ourOwnRoundsStayRounds() {
    NetResult result =
        NetResult.of(
            Collective.BARRIER, "", 0, 2, "", Latency.of(1, 2, 3), NetResult.NOT_CHECKED, 1, 2, 3);
    String json =
        Json.pretty(Json.map("schema", "holdfast.bench.net/1", "results", List.of(result.tree())));
    assertThat(only(read(json)).rounds()).containsExactly(1.0, 2.0, 3.0);
  }
}
