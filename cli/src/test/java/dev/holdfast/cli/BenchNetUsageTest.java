package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the benchmark of collectives says before it starts anything. */
class BenchNetUsageTest {
  /** Wrong usage, and what is said about it. */
  private static String refused(String... words) {
    TestConsole console = new TestConsole();
    assertThat(console.run(words)).as(console.err()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    return console.err();
  }

  @Test
  void whoeverWaitsForTheNodeThatLeadsSaysSoAndHowLong() throws IOException {
    try (ServerSocket leader = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> turnAway(leader));
      String place = "127.0.0.1:" + leader.getLocalPort();
      TestConsole console = new TestConsole();
      int code =
          console.run(
              "bench",
              "net",
              "all_reduce",
              "--rdzv",
              place,
              "--nnodes",
              "2",
              "--node-rank",
              "1",
              "--ranks",
              "2");
      assertThat(code).isEqualTo(3);
      assertThat(console.err())
          .contains("waiting for node 0 at " + place + ", 120 s at most")
          .contains("node 0");
    }
  }

  private static void turnAway(ServerSocket leader) {
    try {
      leader.accept().close();
    } catch (IOException over) {
      // Nobody came.
    }
  }

  @Test
  void aFolderThatIsNoCheckoutIsRefusedAndNothingIsWrittenThere(@TempDir Path folder) {
    Path nowhere = folder.resolve("nowhere");
    assertThat(refused("bench", "net", "compare", "--checkout", nowhere.toString()))
        .contains(nowhere + " is no checkout", "bench/peers");
    assertThat(nowhere).doesNotExist();
    assertThat(refused("bench", "net", "compare", "--checkout", folder.toString()))
        .contains("is no checkout");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void ranksThatAreNoneAreRefusedAsSuch() {
    for (String none : List.of("0", "-3")) {
      String why = "--ranks: they count from 2, with nccl from 1, not " + none;
      assertThat(refused("bench", "net", "all_reduce", "--ranks", none)).contains(why);
      assertThat(refused("bench", "net", "all_reduce", "--hosts", "a,b", "--ranks", none))
          .contains(why);
      assertThat(refused("bench", "net", "sweep", "--ranks", "2," + none)).contains(why);
      assertThat(refused("bench", "net", "pairs", "--ranks", none)).contains(why);
    }
  }

  @Test
  void countsAreRefusedWithWhatTheyMayBe() {
    assertThat(refused("bench", "net", "all_reduce", "-n", "-5"))
        .contains("--iters: at least 1, or 0 for as many as fit into a third of a second, not -5");
    assertThat(refused("bench", "net", "all_reduce", "-w", "-1"))
        .contains("--warmup: at least 0, not -1");
    assertThat(refused("bench", "net", "all_reduce", "--rounds", "0"))
        .contains("--rounds: at least 1, not 0");
    assertThat(refused("bench", "net", "all_reduce", "--check=-1"))
        .contains("--check: 0 or more, not -1");
  }

  @Test
  void filesOfHostsAreNamedWithWhatIsWrongInThem(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("hosts");
    for (String[] words :
        List.of(
            new String[] {"bench", "net", "all_reduce", "--hostfile", file.toString()},
            new String[] {"bench", "blame", "--leaves", file.toString(), "--", "true"})) {
      TestConsole missing = new TestConsole();
      assertThat(missing.run(words)).isNotZero();
      assertThat(missing.err()).contains(file + ": no such file or folder");
    }
    Files.writeString(file, "n1\nn2 slots=x\n");
    assertThat(refused("bench", "net", "all_reduce", "--hostfile", file.toString()))
        .contains("--hostfile " + file + ": line 2: expected HOST");
    Files.writeString(file, "n1\nn2\u001b[2J slots=2\n");
    assertThat(refused("bench", "net", "all_reduce", "--hostfile", file.toString()))
        .contains("line 2 has a control character")
        .doesNotContain("\u001b");
  }

  @Test
  void oneHostWithOneSlotIsToldToTakeMore() {
    for (String what : List.of("all_reduce", "pairs", "sweep", "done-flag", "latency-comp")) {
      assertThat(refused("bench", "net", what, "--hosts", "nosuchhost.invalid"))
          .contains("one host with one slot makes one rank", "--hosts nosuchhost.invalid:2");
    }
  }

  @Test
  void optionsThatWouldDoNothingAreRefusedWithWhatToAdd(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("leaves"), "leaf1: n[1-2]\n");
    assertThat(refused("bench", "net", "pairs", "--leaves", file.toString())).contains("--blame");
    assertThat(refused("bench", "net", "all_reduce", "--label", "here")).contains("add --save");
  }

  @Test
  void sizesThatNoMemoryHoldsAreRefusedBeforeRanksStart() {
    assertThat(refused("bench", "net", "all_reduce", "-b", "1000T", "-e", "1000T"))
        .contains("the buffers of 2 ranks need", "free: choose a smaller size")
        .doesNotContain("java.lang");
    assertThat(refused("bench", "net", "sweep", "--sizes", "1000T"))
        .contains("the buffers of 2 ranks need");
  }

  @Test
  void aBarrierIsNotAskedForBandwidth() {
    assertThat(refused("bench", "net", "barrier", "--fail-below", "1"))
        .contains("--fail-below", "no GB/s", "0.9x");
  }
}
