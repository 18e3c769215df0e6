package dev.holdfast.agent.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private Memory open() throws IOException {
    return Memory.open("node/n1", folder, 100_000);
  }

  private static Change said(int number) {
    return new Change()
        .say(NOW, new Statement.Answered("a-" + number, Answer.DONE, "x"))
        .set("last", (long) number);
  }

  private static List<Report> waiting(Memory memory) throws InterruptedException {
    return memory.next(10_000, Duration.ZERO).stream().map(Report::of).toList();
  }

  private static String request(Report report) {
    return ((Statement.Answered) report.statement()).request();
  }

  @Test
  void whatWasToldAndWhatIsRememberedSurviveTogether() throws Exception {
    try (Memory memory = open()) {
      assertThat(memory.commit(said(1))).isTrue();
      assertThat(memory.commit(said(2))).isTrue();
      assertThat(memory.received(new Receipt("node/n1", 1, 1))).isTrue();
    }
    try (Memory memory = open()) {
      assertThat(memory.epoch()).isEqualTo(2);
      assertThat(memory.fact("last")).contains(2L);
      assertThat(memory.commit(said(3))).isTrue();
      List<Report> waiting = waiting(memory);
      assertThat(waiting).extracting(MemoryTest::request).containsExactly("a-2", "a-3");
      assertThat(waiting).extracting(Report::epoch).containsExactly(1L, 2L);
      assertThat(waiting).extracting(Report::sequence).containsExactly(2L, 1L);
    }
  }

  @Test
  void theEpochGrowsAtEveryStart() throws Exception {
    for (int life = 1; life <= 5; life++) {
      try (Memory memory = open()) {
        assertThat(memory.epoch()).isEqualTo(life);
      }
    }
  }

  @Test
  void aWriteThatWasCutAnywhereLeavesWholeChangesOnly() throws Exception {
    try (Memory memory = open()) {
      for (int i = 1; i <= 20; i++) {
        assertThat(memory.commit(said(i))).isTrue();
      }
    }
    Path file = folder.resolve("agent.log");
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      Files.write(file, whole);
      try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
        cut.setLength(random.nextInt(whole.length));
      }
      try (Memory memory = open()) {
        List<Report> waiting = waiting(memory);
        long last = memory.fact("last").map(it -> (Long) it).orElse(0L);
        assertThat(waiting).hasSize((int) last);
      }
    }
  }

  @Test
  void whatHasNoRoomIsRefusedAndSaidOnceInOneReport() throws Exception {
    try (Memory memory = Memory.open("node/n1", folder, 4_000)) {
      int kept = 0;
      for (int i = 1; i <= 100; i++) {
        if (memory.commit(said(i))) {
          kept++;
        } else {
          memory.lose(1, NOW);
        }
      }
      assertThat(kept).isBetween(5, 50);
      assertThat(memory.fact("last")).contains((long) kept);
      assertThat(memory.received(new Receipt("node/n1", 1, kept))).isTrue();
      assertThat(memory.commit(said(101))).isTrue();
      List<Report> waiting = waiting(memory);
      assertThat(waiting).hasSize(2);
      assertThat(waiting.getFirst().statement())
          .isEqualTo(new Statement.Lost(100 - kept, NOW, NOW));
      assertThat(waiting.getFirst().sequence()).isEqualTo(kept + 1);
    }
  }

  @Test
  void aControlPlaneThatForgotIsToldHowThingsStandInANewEpoch() throws Exception {
    try (Memory memory = open()) {
      for (int i = 1; i <= 3; i++) {
        assertThat(memory.commit(said(i))).isTrue();
      }
      assertThat(memory.received(new Receipt("node/n1", 1, 2))).isTrue();
      assertThat(memory.received(new Receipt("node/n1", 0, 0))).isFalse();
      memory.restate(0, NOW, List.of(new Statement.Answered("standing", Answer.DONE, "")));
      List<Report> waiting = waiting(memory);
      assertThat(waiting).extracting(MemoryTest::request).containsExactly("standing", "a-3");
      assertThat(waiting).extracting(Report::epoch).containsOnly(2L);
      assertThat(waiting).extracting(Report::sequence).containsExactly(1L, 2L);
    }
  }

  @Test
  void anAgentThatForgotGoesBeyondWhatTheControlPlaneKnows() throws Exception {
    try (Memory memory = open()) {
      assertThat(memory.commit(said(1))).isTrue();
      assertThat(memory.received(new Receipt("node/n1", 57, 3))).isFalse();
      memory.restate(57, NOW, List.of());
      assertThat(waiting(memory)).extracting(Report::epoch).containsExactly(58L);
    }
  }

  @Test
  void theFileStaysSmallHoweverMuchPassesThroughIt() throws Exception {
    try (Memory memory = open()) {
      for (int i = 1; i <= 20_000; i++) {
        memory.note("position", "some place in a log " + i);
      }
    }
    assertThat(Files.size(folder.resolve("agent.log"))).isLessThan(2 << 20);
    try (Memory memory = open()) {
      assertThat(memory.fact("position")).contains("some place in a log 20000");
    }
  }

  @Test
  void twoAgentsDoNotShareAFolder() throws Exception {
    try (Memory memory = open()) {
      assertThat(memory.epoch()).isEqualTo(1);
      assertThatThrownBy(this::open).hasMessageContaining("another agent");
    }
  }

  @Test
  void batchesAreBounded() throws Exception {
    try (Memory memory = open()) {
      List<String> all = new ArrayList<>();
      for (int i = 1; i <= 30; i++) {
        assertThat(memory.commit(said(i))).isTrue();
        all.add("a-" + i);
      }
      assertThat(memory.next(7, Duration.ZERO)).hasSize(7);
      assertThat(waiting(memory)).extracting(MemoryTest::request).containsExactlyElementsOf(all);
    }
  }
}
