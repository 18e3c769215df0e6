package dev.holdfast.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After any end of the process, and any damage to the file, nothing old is given out as new. */
class LedgerTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @SuppressWarnings("NullAway.Init") // made before each test
  private byte[] whole;

  private static final long TERM = 4;
  private static final long OPENED = 3;

  @BeforeEach
  void write() throws IOException {
    try (Ledger ledger = Ledger.open(folder)) {
      ledger.claim("a", 3, "node1", 5);
      ledger.open("a", 0, 29500, 1);
      ledger.open("a", 1, 29501, 1);
      ledger.claim("b", TERM, "node2", 7);
      ledger.open("b", 0, 29502, 1);
    }
    whole = Files.readAllBytes(file());
  }

  private Path file() {
    return folder.resolve("ledger.log");
  }

  @Test
  void whatWasWrittenIsThereAgain() throws IOException {
    try (Ledger ledger = Ledger.open(folder)) {
      assertThat(ledger.lostBytes()).isZero();
      assertThat(ledger.term()).isEqualTo(TERM);
      assertThat(ledger.opened()).isEqualTo(OPENED);
      JobEntry job = ledger.job("a").orElseThrow();
      assertThat(job.attempt()).isEqualTo(1);
      assertThat(job.term()).isEqualTo(3);
      assertThat(job.holder()).isEqualTo("node1");
      assertThat(job.ports()).containsExactlyInAnyOrder(29500, 29501);
    }
  }

  @Test
  void cutAnywhereItNeverGoesBack() throws IOException {
    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      boolean atEndOfLine = length == 0 || whole[length - 1] == '\n';
      try (Ledger ledger = Ledger.open(folder)) {
        // What is cut off at the end of a line was never answered: a line is flushed before.
        if (!atEndOfLine) {
          assertThat(ledger.lostBytes()).as("cut at %d", length).isPositive();
          assertThat(ledger.term()).as("cut at %d", length).isGreaterThan(TERM);
          assertThat(ledger.opened()).as("cut at %d", length).isGreaterThan(OPENED);
        }
      }
      try (Ledger again = Ledger.open(folder)) {
        assertThat(again.lostBytes()).as("repaired").isZero();
      }
    }
  }

  @Test
  void garbledAnywhereItNeverGoesBack() throws IOException {
    for (int at = 0; at < whole.length; at++) {
      byte[] garbled = whole.clone();
      garbled[at] ^= 0x15;
      Files.write(file(), garbled);
      try (Ledger ledger = Ledger.open(folder)) {
        assertThat(ledger.lostBytes()).as("changed at %d", at).isPositive();
        assertThat(ledger.term()).as("changed at %d", at).isGreaterThan(TERM);
        assertThat(ledger.opened()).as("changed at %d", at).isGreaterThan(OPENED);
      }
    }
  }

  @Test
  void nothingButGarbageIsStillNoReasonNotToStart() throws IOException {
    byte[] garbage = new byte[100_000];
    new java.util.Random(1).nextBytes(garbage);
    Files.write(file(), garbage);
    try (Ledger ledger = Ledger.open(folder)) {
      assertThat(ledger.jobs()).isEmpty();
      // As many as that many bytes can have told of.
      assertThat(ledger.term()).isGreaterThan(4000);
    }
  }

  @Test
  void twoStoresDoNotShareAFolder() throws IOException {
    try (Ledger first = Ledger.open(folder)) {
      assertThat(first.jobs()).hasSize(2);
      assertThatThrownBy(() -> Ledger.open(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use by another store");
    }
  }

  @Test
  void theFileDoesNotGrowForEverAndOldJobsAreForgotten() throws IOException {
    try (Ledger ledger = Ledger.open(folder)) {
      ledger.keep("a", true);
      for (int i = 0; i < 300; i++) {
        ledger.claim("a", ledger.term() + 1, "node1", 5);
      }
      assertThat(ledger.jobs()).hasSize(2);
    }
    long size = Files.size(file());
    try (Ledger ledger = Ledger.open(folder)) {
      assertThat(Files.size(file())).isLessThan(size / 10);
      assertThat(ledger.term()).isEqualTo(TERM + 300);
    }
  }
}
