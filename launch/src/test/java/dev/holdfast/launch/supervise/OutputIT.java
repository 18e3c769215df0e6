package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import dev.holdfast.testing.Tools;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ranks write: all of it in the files, some of it on the console, nobody held up. */
@Timeout(180)
class OutputIT {
  @TempDir Path folder;

  @Test
  void everythingWrittenBeforeACrashIsInTheFileWhenTheEndIsTold() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "seq 200000; seq 1000 >&2; kill -KILL $$");
      stage.exited(0);
      assertThat(stage.text("rank0/stdout.log")).hasLineCount(200_000).endsWith("\n200000\n");
      assertThat(stage.text("rank0/stderr.log")).hasLineCount(1000);
      assertThat(stage.events(Event.Output.class).getLast().bytes())
          .isEqualTo(
              Files.size(folder.resolve("rank0/stdout.log"))
                  + Files.size(folder.resolve("rank0/stderr.log")));
      stage.order(new Order.Finish(0));
      stage.exitCode();
      assertThat(stage.text("console")).startsWith("[0]: 1\n[0]: 2\n");
      // Told by whichever of the two streams ends last.
      assertThat(stage.text("console") + stage.text("errors"))
          .contains(" lines not shown, see " + folder.resolve("rank0"));
      assertThat(stage.text("console").lines()).allMatch(line -> line.startsWith("[0]: "));
    }
  }

  @Test
  void aGrandchildThatHoldsThePipeDoesNotHoldTheNews() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      String silent = "sleep 1000 & echo last words; exit 8";
      String loud = "(while :; do echo noise; done) & echo first; exit 9";
      stage.start(0, silent, loud);
      assertThat(stage.exited(0).exitCode()).isEqualTo(8);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("last words\n");
      assertThat(stage.exited(1).exitCode()).isEqualTo(9);
      stage.order(new Order.Stop(0, Duration.ofSeconds(20)));
      assertThat(stage.await(Event.Stopped.class, _ -> true).left()).isEmpty();
    }
  }

  @Test
  void aRankMayCloseItsOutput() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, "echo open; exec >&- 2>&-; sleep 1; exit 4");
      assertThat(pids).allMatch(ProcessState::alive);
      assertThat(stage.exited(0).exitCode()).isEqualTo(4);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("open\n");
    }
  }

  @Test
  void bytesOfAnyKindReachTheFileUntouched() throws Exception {
    byte[] all = new byte[5 << 20];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (i * 31 + i / 977);
    }
    for (int i = 0; i < 3 << 20; i++) {
      all[i] = all[i] == '\n' ? (byte) 0xff : all[i];
    }
    Files.write(folder.resolve("bytes"), all);
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "cat " + folder.resolve("bytes"), "printf 'a\\rbb\\rccc\\rend\\nnext'");
      stage.exited(0);
      stage.exited(1);
      assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("rank0/stdout.log")), all))
          .isTrue();
      assertThat(stage.text("rank1/stdout.log")).isEqualTo("a\rbb\rccc\rend\nnext");
    }
  }

  @Test
  void aConsoleThatIsStoppedHoldsNobodyUp() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (RandomAccessFile held = new RandomAccessFile(pipe.toFile(), "rw");
        Stage stage = Stage.with(folder).console(pipe).open()) {
      String[] scripts = new String[4];
      Arrays.fill(scripts, "seq 400000");
      stage.start(0, scripts);
      for (int rank = 0; rank < scripts.length; rank++) {
        assertThat(stage.exited(rank).exitCode()).isZero();
        assertThat(Files.size(folder.resolve("rank" + rank + "/stdout.log"))).isEqualTo(2_688_895);
      }
      assertThat(held.getChannel().isOpen()).isTrue();
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
    }
  }

  @Test
  void aConsoleThatIsGoneIsToldOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    RandomAccessFile held = new RandomAccessFile(pipe.toFile(), "rw");
    try (Stage stage = Stage.with(folder).console(pipe).open()) {
      held.close();
      stage.start(0, "for i in 1 2 3 4 5; do echo line $i; sleep 0.1; done");
      assertThat(stage.exited(0).exitCode()).isZero();
      assertThat(stage.text("rank0/stdout.log")).hasLineCount(5);
      assertThat(stage.events(Event.Trouble.class))
          .singleElement()
          .extracting(Event.Trouble::what)
          .asString()
          .startsWith("the console cannot be written any more: ");
    }
  }

  @Test
  void aFullDiskIsSaidOnceAndTheJobGoesOn() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    Tools.require(
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "none", small.toString())
                .redirectErrorStream(true)
                .start()
                .waitFor()
            == 0,
        "needs the right to mount a file system");
    try (Stage stage = Stage.open(folder)) {
      List<RankSpec> ranks = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        RankSpec plain = stage.rank(rank, "seq 400000; exit " + rank);
        ranks.add(
            new RankSpec(
                rank,
                rank,
                plain.command(),
                plain.environment(),
                small + "/" + rank,
                3,
                0,
                "",
                ""));
      }
      stage.order(new Order.Start(0, ranks));
      for (int rank = 0; rank < 3; rank++) {
        assertThat(stage.exited(rank).exitCode()).isEqualTo(rank);
      }
      assertThat(stage.events(Event.Trouble.class))
          .singleElement()
          .extracting(Event.Trouble::what)
          .asString()
          .startsWith(small.toString())
          .contains("cannot be written: No space left on device");
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
    } finally {
      new ProcessBuilder("umount", "-l", small.toString()).start().waitFor();
    }
  }

  @Test
  void aFileThatHangsCostsOutputNotTheRank() throws Exception {
    Path file = Files.createDirectory(folder.resolve("rank0")).resolve("stdout.log");
    // Opening a pipe nobody reads does not come back, like a file server that is gone.
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "seq 400000; exit 5", "seq 400000; exit 6");
      assertThat(stage.exited(1).exitCode()).isEqualTo(6);
      assertThat(Files.size(folder.resolve("rank1/stdout.log"))).isEqualTo(2_688_895);
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
      assertThat(stage.events(Event.Trouble.class))
          .singleElement()
          .extracting(Event.Trouble::what)
          .asString()
          .startsWith(file + " cannot be written: no answer for 5 s. ");
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
    }
  }

  @Test
  void eightRanksOfFiftyMegabytesASecondWithASlowConsole() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    Tools.require(Files.isExecutable(python), "needs /usr/bin/python3");
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    String script =
        """
        import sys, time
        line = (b'x' * 99 + b'\\n') * 5000
        start = time.monotonic()
        for i in range(200):
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            time.sleep(max(0, start + i / 100 - time.monotonic()))
        """;
    long bytes = 200L * 5000 * 100;
    try (RandomAccessFile held = new RandomAccessFile(pipe.toFile(), "rw");
        InputStream slow = Files.newInputStream(pipe);
        Stage stage = Stage.with(folder).console(pipe).open()) {
      Thread.ofPlatform().daemon().start(() -> readSlowly(slow));
      List<RankSpec> ranks = new ArrayList<>();
      for (int rank = 0; rank < 8; rank++) {
        ranks.add(stage.rank(rank, List.of(python.toString(), "-c", script)));
      }
      stage.order(new Order.Start(0, ranks));
      for (int rank = 0; rank < 8; rank++) {
        assertThat(stage.exited(rank).exitCode()).isZero();
        assertThat(Files.size(folder.resolve("rank" + rank + "/stdout.log"))).isEqualTo(bytes);
        Files.delete(folder.resolve("rank" + rank + "/stdout.log"));
      }
      assertThat(held.getChannel().isOpen()).isTrue();
      assertThat(stage.events(Event.Trouble.class)).isEmpty();
    }
  }

  private static void readSlowly(InputStream slow) {
    byte[] few = new byte[2000];
    try {
      while (slow.read(few) >= 0) {
        Thread.sleep(100);
      }
    } catch (java.io.IOException | InterruptedException over) {
      // The test is over.
    }
  }
}
