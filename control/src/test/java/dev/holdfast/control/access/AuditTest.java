package dev.holdfast.control.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Caller ADA = new Caller("ada", Role.OPERATOR, "");

  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();

  @Test
  void whoActedIsKnownAfterARestartAndATornLineHurtsNothing() throws Exception {
    Audit audit = Audit.open(folder, said::add);
    audit.add(NOW, ADA, "10.0.0.1", "POST /api/v1/pause", 200, "");
    Instant later = NOW.plusMillis(1);
    audit.add(later, Caller.NOBODY, "10.0.0.2", "POST /api/v1/pause", 401, "no \"token\"\n");
    Files.writeString(folder.resolve(Audit.FILE), "{\"at\":\"20", StandardOpenOption.APPEND);
    var recent = Audit.open(folder, said::add).recent(10);
    assertThat(recent).hasSize(2);
    assertThat(recent.getFirst())
        .containsEntry("actor", "nobody")
        .containsEntry("outcome", 401L)
        .containsEntry("why", "no \"token\"\n");
    assertThat(recent.getLast()).containsEntry("actor", "ada").containsEntry("role", "operator");
    assertThat(Audit.open(folder, said::add).recent(1)).hasSize(1);
  }

  @Test
  void itsRoomIsBounded() throws Exception {
    Audit audit = Audit.open(folder, 2_000, said::add);
    for (int i = 0; i < 2_000; i++) {
      audit.add(NOW, ADA, "10.0.0.1", "POST /" + i, 200, "");
    }
    long bytes = 0;
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytes).isLessThan(6 * 2_300);
    for (int i = 0; i < 2_000; i++) {
      audit.add(NOW, Caller.NOBODY, "10.0.0.1", "POST /" + "x".repeat(5_000), 401, "no");
    }
    assertThat(Files.readString(folder.resolve(Audit.FILE)))
        .as("refusals push nothing out")
        .contains("POST /1999");
    assertThat(Audit.open(folder, said::add).recent(5_000))
        .filteredOn(it -> Objects.equals(it.get("outcome"), 200L))
        .isNotEmpty();
    assertThat(audit.recent(5_000)).allMatch(it -> String.valueOf(it.get("what")).length() <= 300);
    assertThat(audit.recent(5_000)).hasSize(2_000);
  }

  @Test
  void whatCannotBeWrittenIsSaidOnce() throws Exception {
    Audit audit = Audit.open(folder, said::add);
    Files.createDirectory(folder.resolve(Audit.FILE));
    audit.add(NOW, ADA, "a", "POST /x", 200, "");
    audit.add(NOW, ADA, "a", "POST /y", 200, "");
    assertThat(said).hasSize(1).first().asString().contains("audit.jsonl");
    assertThat(audit.recent(10)).hasSize(2);
  }
}
