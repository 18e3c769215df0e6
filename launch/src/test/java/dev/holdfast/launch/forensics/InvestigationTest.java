package dev.holdfast.launch.forensics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.core.forensics.verdict.Source;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Timeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InvestigationTest {
  @TempDir private Path temp = Path.of("");

  private static final String WAITING =
      """
      Current thread 0x1 (most recent call first):
        File "/x/distributed_c10d.py", line 1320 in all_reduce
        File "train.py", line 40 in step
        File "train.py", line 90 in <module>
      """;
  private static final String LOADING =
      """
      Current thread 0x1 (most recent call first):
        File "/x/dataloader.py", line 671 in _next_data
        File "train.py", line 90 in <module>
      """;

  /** A run of one node whose second attempt hung at rank 2. */
  private Path run() throws IOException {
    Path node = temp.resolve("job_n1");
    try (Timeline timeline = Timeline.open(node.resolve("timeline.log"))) {
      timeline.add(
          Kinds.JOB_BEGUN, "job", "llm", "command", List.of("train.py", "--api-key", "hunter2"));
      for (int attempt = 0; attempt < 2; attempt++) {
        timeline.add(
            Kinds.ATTEMPT_PREPARED,
            "attempt",
            attempt,
            "world",
            4,
            "members",
            List.of(Json.map("node", "n1", "firstRank", 0, "processes", 4)));
      }
      Map<String, @Nullable Object> told =
          new LinkedHashMap<>(
              new Diagnosis(
                      FailureClass.HANG,
                      List.of(2),
                      "n1",
                      0.6,
                      "Rank 2 made no step for 60 s.",
                      List.of("the others wait for /step/3"),
                      3)
                  .json());
      told.put("attempt", 1);
      timeline.add(Kinds.DIAGNOSIS, told);
    }
    Path attempt = node.resolve("attempt_1");
    List<Map<String, @Nullable Object>> seen = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      Path own = Files.createDirectories(attempt.resolve(Integer.toString(rank)));
      Files.writeString(own.resolve("stderr.log"), "WANDB_API_KEY=abcdef123456\nlast words\n");
      seen.add(
          Json.map(
              "rank",
              rank,
              "pid",
              100 + rank,
              "state",
              "S",
              "place",
              "poll",
              "lines",
              List.of("python3 (1): state S, 1.00 s CPU"),
              "by",
              List.of("python"),
              "stacks",
              rank == 2 ? LOADING : WAITING));
    }
    Files.writeString(
        attempt.resolve("hang.json"), Json.pretty(Json.map("schema", "x", "ranks", seen)));
    return node;
  }

  @Test
  void aRunIsJudgedByAllItLeft() throws IOException {
    for (Path place : List.of(run(), temp)) {
      Investigation found = Investigation.of(place, 0);
      Conclusion best = found.conclusions().getFirst();
      assertThat(found.job()).isEqualTo("llm");
      assertThat(found.world()).isEqualTo(4);
      assertThat(best.ranks()).containsExactly(2);
      assertThat(best.node()).isEqualTo("n1");
      assertThat(best.kind()).isEqualTo("hang");
      assertThat(best.sources()).containsExactly(Source.STACKS, Source.LAUNCHER);
      assertThat(best.confidence()).isBetween(0.9, 0.98);
      assertThat(best.evidence())
          .anyMatch(line -> line.contains("rank 2 loads data: _next_data@dataloader.py:671"));
      assertThat(found.trouble()).isEmpty();
    }
  }

  @Test
  void aBundleIsTheRunWithoutItsSecrets() throws IOException {
    Path node = run();
    Path file = Bundle.write(node, 1, Instant.EPOCH, "test");
    Conclusion best =
        Bundle.opened(List.of(file), folder -> Investigation.of(folder, 0))
            .conclusions()
            .getFirst();
    assertThat(best).isEqualTo(Investigation.of(node, 0).conclusions().getFirst());
    String all =
        Bundle.opened(
            List.of(file),
            folder -> {
              try (Stream<Path> walk = Files.walk(folder)) {
                StringBuilder text = new StringBuilder();
                for (Path one : walk.filter(Files::isRegularFile).toList()) {
                  text.append(Files.readString(one));
                }
                return text.toString();
              }
            });
    assertThat(all).contains("last words").doesNotContain("hunter2").doesNotContain("abcdef123456");
  }

  @Test
  void longLogsAreCutAtTheirStart() throws IOException {
    Path node = run();
    Path log = node.resolve("attempt_1/0/stdout.log");
    byte[] line = "a line of a log that goes on and on\n".getBytes(StandardCharsets.UTF_8);
    try (var out = Files.newOutputStream(log)) {
      for (int i = 0; i < 1_000_000; i++) {
        out.write(line);
      }
      out.write("the end\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Bundle.write(node, 1, Instant.EPOCH, "test");
    assertThat(Files.size(file)).isLessThan(1 << 20);
    String kept =
        Bundle.opened(
            List.of(file), folder -> Files.readString(folder.resolve("attempt_1/0/stdout.log")));
    assertThat(kept).endsWith("the end\n").startsWith("a line").hasSizeLessThan(1 << 20);
  }

  @Test
  void damagedBundlesAreRefused() throws IOException {
    byte[] good = Files.readAllBytes(Bundle.write(run(), 1, Instant.EPOCH, "test"));
    Random random = new Random(7);
    Path file = temp.resolve("bad.zip");
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      byte[] bad = good.clone();
      for (int k = 0; k < 1 + i % 5; k++) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(
          file, i % 3 == 0 ? java.util.Arrays.copyOf(bad, random.nextInt(bad.length)) : bad);
      try {
        Bundle.opened(List.of(file), folder -> Investigation.of(folder, 0));
      } catch (HoldfastException | IOException said) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(150);
  }

  @Test
  void garbledFilesAreToldAndTheRestIsRead() throws IOException {
    Path node = run();
    Files.writeString(node.resolve("attempt_1/hang.json"), "{\"ranks\":[{\"rank\":");
    Investigation found = Investigation.of(node, 0);
    assertThat(found.trouble()).hasSize(1).first().asString().contains("hang.json");
    assertThat(found.conclusions().getFirst().sources()).containsExactly(Source.LAUNCHER);
  }

  @Test
  void anEmptyFolderTellsNothing() throws IOException {
    assertThat(Investigation.of(Files.createDirectory(temp.resolve("empty")), 0).empty()).isTrue();
    assertThatThrownBy(() -> Investigation.of(temp.resolve("none"), 0))
        .isInstanceOf(IOException.class);
  }
}
