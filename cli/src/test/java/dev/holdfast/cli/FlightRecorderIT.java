package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes whose ranks all sleep, so that only their records of collectives tell them apart. NCCL
 * needs GPUs; here the program itself answers the pipe as torch does, with a pickle of its form.
 */
class FlightRecorderIT {
  private static final String PROGRAM =
      """
      import os, pickle, threading, time
      import holdfast

      rank = int(os.environ["RANK"])
      begun = 41 if rank == 2 else 42

      def answer():
          name = os.environ["TORCH_NCCL_DEBUG_INFO_PIPE_FILE"] + str(rank) + ".pipe"
          os.mkfifo(name)
          pipe = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
          while True:
              if os.read(pipe, 128):
                  numbers = {"last_%s_collective" % what: begun for what in ("enqueued", "started", "completed")}
                  with open(os.environ["TORCH_FR_DUMP_TEMP_FILE"] + str(rank), "wb") as file:
                      pickle.dump({"version": "2.10", "pg_status": {"0": numbers}, "entries": []}, file, 2)
              time.sleep(0.5)

      threading.Thread(target=answer, daemon=True).start()
      for step in range(1, 20):
          time.sleep(0.1)
          holdfast.beat(step)
      time.sleep(1000)
      """;

  @TempDir Path folder;

  @BeforeEach
  void requirePython() {
    Tools.require("python3", "python3");
  }

  @Test
  void theRankThatHasNotBegunTheCollectiveIsNamedAndTheRecordsAreKept() throws Exception {
    Path program = Files.writeString(folder.resolve("stuck.py"), PROGRAM);
    try (LocalLaunchers launchers = new LocalLaunchers(folder)) {
      launchers.pairOf(List.of("--nnodes=2", "--hang=50s"), program.toString());
      Path evidence = folder.resolve("logs/pair_n1/attempt_0/hang.json");
      launchers.await(() -> Files.exists(evidence), "evidence");
      assertThat(launchers.output("n0"))
          .contains("rank 2 quiet for", "it has not begun the collective that all others are in")
          .contains("began collective 41");
      assertThat(Files.readString(evidence.resolveSibling("hang.txt")))
          .contains("flight recorder:", "began collective 41", "began collective 42");
      Fields record =
          Fields.of("hang", Json.read(Files.readString(evidence)))
              .objects("flightRecorders")
              .getFirst();
      assertThat(record.integer("rank")).isEqualTo(2);
      assertThat(record.number("enqueued")).isEqualTo(41);
      assertThat(Path.of(record.text("file"))).exists();
    }
  }
}
