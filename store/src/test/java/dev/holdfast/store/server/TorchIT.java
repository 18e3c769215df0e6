package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real PyTorch clients (Debian's 1.13, dialect A) against our store. */
class TorchIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private final List<String> log = new CopyOnWriteArrayList<>();
  private StoreServer server;

  @TempDir Path folder;

  @BeforeEach
  void start() throws IOException {
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed").within(PATIENCE).run().succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
    server =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), log::add);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void fourRanksMeetAndReduce() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("job.py"),
            """
            import torch, torch.distributed as dist
            dist.init_process_group("gloo")
            t = torch.ones(4) * (dist.get_rank() + 1)
            dist.all_reduce(t)
            dist.barrier()
            print(dist.get_rank(), t[0].item())
            """);
    List<Thread> ranks = new ArrayList<>();
    List<CommandResult> results = new CopyOnWriteArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      Command command =
          Command.of(PYTHON, script.toString())
              .within(PATIENCE)
              .with("RANK", Integer.toString(rank))
              .with("LOCAL_RANK", Integer.toString(rank))
              .with("WORLD_SIZE", "4")
              .with("MASTER_ADDR", "127.0.0.1")
              .with("MASTER_PORT", Integer.toString(server.port()))
              .with("GLOO_SOCKET_IFNAME", "lo")
              .with("TORCHELASTIC_USE_AGENT_STORE", "True")
              .with("TORCHELASTIC_RESTART_COUNT", "0");
      ranks.add(Thread.ofVirtual().start(() -> results.add(command.run())));
    }
    for (Thread rank : ranks) {
      rank.join();
    }
    assertThat(results).allSatisfy(r -> assertThat(r.exitCode()).as(r.error()).isZero());
    assertThat(results.stream().map(r -> r.output().strip()).toList())
        .containsExactlyInAnyOrder("0 10.0", "1 10.0", "2 10.0", "3 10.0");
    assertThat(server.view().joined()).isEqualTo(4);
    assertThat(log).isEmpty();
  }

  @Test
  void everyOperationOfTheClientAnswersAsItsOwnServerDoes() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("ops.py"),
            """
            import datetime, sys
            from torch.distributed import TCPStore
            def ops(s):
                out = []
                s.set("k", "v"); out.append(s.get("k"))
                out.append(s.add("n", 5)); out.append(s.add("n", -7)); out.append(s.get("n"))
                out.append(s.compare_set("c", "", "a")); out.append(s.compare_set("c", "a", "b"))
                out.append(s.compare_set("c", "x", "y")); out.append(s.compare_set("none", "e", "d"))
                out.append(s.num_keys()); out.append(s.delete_key("k")); out.append(s.delete_key("k"))
                s.set("empty", ""); out.append(s.get("empty")); s.wait(["c", "n"]); out.append(s.num_keys())
                s.set("big", "x" * 1000000); out.append(len(s.get("big")))
                try:
                    s.wait(["never"], datetime.timedelta(milliseconds=300)); out.append("woken")
                except Exception as e:
                    out.append("timed out")
                return out
            ours = TCPStore("127.0.0.1", int(sys.argv[1]), None, False)
            own = TCPStore("127.0.0.1", 0, None, True)
            a, b = ops(ours), ops(own)
            print("same" if a == b else "ours %r theirs %r" % (a, b))
            """);
    CommandResult result =
        Command.of(PYTHON, script.toString(), Integer.toString(server.port()))
            .within(PATIENCE)
            .run();
    assertThat(result.exitCode()).as(result.error()).isZero();
    assertThat(result.output().strip()).isEqualTo("same");
  }
}
