package dev.holdfast.store.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.store.ranks.Absence;
import dev.holdfast.store.ranks.LocalProcesses;
import dev.holdfast.store.ranks.NamedPeer;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.ranks.RankNames;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rank real clients of PyTorch 1.13 are, which say neither rank nor process. */
class TorchRanksIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final int WORLD = 3;
  private static final int ABSENT = 0;
  private static final long PATIENCE_NANOS = Duration.ofSeconds(150).toNanos();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final List<Process> ranks = new ArrayList<>();

  @BeforeEach
  void requireTorch() {
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed")
            .within(Duration.ofSeconds(120))
            .run()
            .succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process rank : ranks) {
      rank.descendants().forEach(ProcessHandle::destroyForcibly);
      rank.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }
  }

  /**
   * Ranks that are started by a script of their own and meet at a key one of them never asks for.
   */
  private void start(int port) throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("job.py"),
            """
            import time, datetime, torch.distributed as dist
            from torch.distributed.distributed_c10d import _get_default_store
            dist.init_process_group("gloo")
            if dist.get_rank() != %d:
                _get_default_store().wait(["meet"], datetime.timedelta(seconds=600))
            time.sleep(600)
            """
                .formatted(ABSENT));
    for (int rank = 0; rank < WORLD; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", PYTHON + " " + script + "; true")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("rank" + rank).toFile());
      builder.environment().put("RANK", Integer.toString(rank));
      builder.environment().put("WORLD_SIZE", Integer.toString(WORLD));
      builder.environment().put("MASTER_ADDR", "127.0.0.1");
      builder.environment().put("MASTER_PORT", Integer.toString(port));
      builder.environment().put("GLOO_SOCKET_IFNAME", "lo");
      builder.environment().put("TORCHELASTIC_USE_AGENT_STORE", "True");
      builder.environment().put("TORCHELASTIC_RESTART_COUNT", "0");
      ranks.add(builder.start());
    }
  }

  private Absence untilAbsent(Attempt attempt) throws IOException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - until < 0) {
      List<NamedPeer> named = attempt.named(attempt.server().view());
      Optional<Absence> absence = Absence.of(WORLD, named);
      if (absence.isPresent()
          && absence.get().key().endsWith("meet")
          && absence.get().waiting() == WORLD - 1) {
        return absence.get();
      }
      assertThat(ranks).allMatch(Process::isAlive);
      LockSupport.parkNanos(100_000_000);
    }
    throw new AssertionError(Files.readString(folder.resolve("rank0")));
  }

  @Test
  void theOneThatIsAbsentIsNamedByItsKeysAndByItsProcess() throws IOException {
    try (StoreServer server =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), _ -> {})) {
      start(server.port());
      Attempt nobodyTold = attempt(server, new RankNames());
      assertThat(untilAbsent(nobodyTold).ranks()).containsExactly(ABSENT);

      // A launcher tells other numbers than the keys do, so that it is seen whom is believed.
      RankNames told = new RankNames();
      List<RankName> names = new ArrayList<>();
      for (int rank = 0; rank < WORLD; rank++) {
        names.add(new RankName(WORLD - 1 - rank, "here", "", ranks.get(rank).pid()));
      }
      told.tell(names);
      Absence absence = untilAbsent(attempt(server, told));
      assertThat(absence.ranks()).containsExactly(WORLD - 1 - ABSENT);
      assertThat(absence.connected()).isEqualTo(absence.ranks());
    }
  }

  private static Attempt attempt(StoreServer server, RankNames names) {
    return new Attempt(
        "job", 0, WORLD, "this machine", server, names, new LocalProcesses(System::nanoTime));
  }
}
