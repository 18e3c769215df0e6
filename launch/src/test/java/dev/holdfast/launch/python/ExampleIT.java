package dev.holdfast.launch.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import dev.holdfast.testing.Tools;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example program with four ranks that meet at our store, each attempt at a fresh one. */
class ExampleIT {
  private static final int RANKS = 4;
  private static final Pattern SUM = Pattern.compile("weights sha256 (\\w{64})");

  private Path python;

  @TempDir Path folder;

  @BeforeEach
  void python() {
    python = Tools.require("python3", "python3");
  }

  @Test
  void aJobThatLostARankGoesOnAndEndsWithTheSameWeights() throws Exception {
    List<CommandResult> undisturbed = attempt("undisturbed", 0, "");
    assertThat(undisturbed).allSatisfy(r -> assertThat(r.exitCode()).as(r.error()).isZero());

    String fault = "exit=7:rank=2,step=15";
    List<CommandResult> failed = attempt("disturbed", 0, fault);
    assertThat(failed.get(2).exitCode()).isEqualTo(7);
    assertThat(failed).noneMatch(r -> r.exitCode() == 0);

    List<CommandResult> resumed = attempt("disturbed", 1, fault);
    assertThat(resumed.getFirst().output()).contains("4 ranks, from step 10");
    assertThat(sum(resumed)).isEqualTo(sum(undisturbed));
  }

  /** Runs all ranks once. When rank 2 fails, the store ends, and with it those who wait. */
  private List<CommandResult> attempt(String checkpoints, int attempt, String fault)
      throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (StoreServer store = StoreServer.start(StoreOptions.at(anyPort), line -> {});
        ExecutorService ranks = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<CommandResult>> running =
          IntStream.range(0, RANKS)
              .mapToObj(
                  rank ->
                      Command.of(
                              python.toString(),
                              "-B",
                              "../examples/train.py",
                              "--steps=30",
                              "--step-seconds=0",
                              "--timeout=120")
                          .within(Duration.ofMinutes(3))
                          .with("RANK", Integer.toString(rank))
                          .with("WORLD_SIZE", Integer.toString(RANKS))
                          .with("MASTER_ADDR", "127.0.0.1")
                          .with("MASTER_PORT", Integer.toString(store.port()))
                          .with("TORCHELASTIC_RESTART_COUNT", Integer.toString(attempt))
                          .with("HOLDFAST_INJECT", fault)
                          .with("HOLDFAST_CHECKPOINT_DIR", folder.resolve(checkpoints).toString()))
              .map(command -> ranks.submit(command::run))
              .toList();
      if (await(running.get(2)).exitCode() != 0) {
        store.close();
      }
      return running.stream().map(ExampleIT::await).toList();
    }
  }

  private static CommandResult await(Future<CommandResult> rank) {
    try {
      return rank.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sum(List<CommandResult> ranks) {
    Matcher found = SUM.matcher(ranks.getFirst().output());
    assertThat(found.find()).as(ranks.getFirst().output() + ranks.getFirst().error()).isTrue();
    return found.group(1);
  }
}
