package dev.holdfast.bench.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept comes back, whatever happened to the file meanwhile. */
class LedgerTest {
  private static final Instant TIME = Instant.parse("2026-11-15T18:00:00Z");

  @TempDir Path folder;
  private Ledger ledger = new Ledger(Path.of("unset"));

  @BeforeEach
  void open() {
    ledger = new Ledger(folder.resolve("bench"));
  }

  private static LedgerRun run(String label) {
    return new LedgerRun(
        "",
        TIME,
        "holdfast",
        label,
        new Manifest(
            List.of("n1", "n2"),
            List.of(new Manifest.Nic("eth0", 100_000, 9000, "mlx5_core")),
            Map.of("kernel", "6.18"),
            List.of(new Manifest.Load(0.1, 0.2, 0.05, 0))),
        List.of(
            NetResult.of(
                Collective.ALL_REDUCE,
                "tcp",
                1 << 20,
                2,
                "float",
                Latency.of(0.001, 0.002),
                0,
                0.001,
                0.0011)),
        List.of("a note"));
  }

  @Test
  void aRunComesBackAsItWasKept() throws IOException {
    LedgerRun kept = ledger.append(run("first"));
    assertThat(kept.id()).isEqualTo("20261115-180000");
    assertThat(ledger.content().runs()).containsExactly(kept);
    assertThat(ledger.find("20261115")).contains(kept);
  }

  @Test
  void anEmptyLedgerIsNoError() throws IOException {
    assertThat(ledger.content().runs()).isEmpty();
    assertThat(ledger.find("last")).isEmpty();
    assertThat(ledger.baselines()).isEmpty();
  }

  @Test
  void runsOfOneSecondHaveDifferentNames() throws IOException {
    ledger.append(run("a"));
    assertThat(ledger.append(run("b")).id()).isEqualTo("20261115-180000-2");
    assertThat(ledger.find("last").orElseThrow().label()).isEqualTo("b");
    assertThat(ledger.find("last~1").orElseThrow().label()).isEqualTo("a");
    assertThat(ledger.find("last~2")).isEmpty();
    assertThat(ledger.find("a").orElseThrow().label()).isEqualTo("a");
  }

  @Test
  void aLineCutShortIsCountedAndTheNextRunIsNotLost() throws IOException {
    ledger.append(run("a"));
    Files.writeString(
        folder.resolve("bench/runs.jsonl"), "{\"schema\":\"hold", StandardOpenOption.APPEND);
    ledger.append(run("b"));
    assertThat(ledger.content().runs()).extracting(LedgerRun::label).containsExactly("a", "b");
    assertThat(ledger.content().unreadable()).isEqualTo(1);
  }

  @Test
  void severalWritersAtOnceLoseNothing() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      var runs =
          IntStream.range(0, 20)
              .mapToObj(i -> threads.submit(() -> ledger.append(run("r" + i))))
              .toList();
      for (var run : runs) {
        run.get();
      }
    }
    assertThat(ledger.content().runs())
        .extracting(LedgerRun::id)
        .doesNotHaveDuplicates()
        .hasSize(20);
  }

  @Test
  void aBaselineIsFoundByItsName() throws IOException {
    LedgerRun first = ledger.append(run("a"));
    ledger.append(run("b"));
    ledger.baseline("default", first.id());
    assertThat(ledger.find("default")).contains(first);
    ledger.baseline("default", "");
    assertThat(ledger.find("default")).isEmpty();
  }

  @Test
  void conditionsThatDifferAreNamed() {
    Manifest one = run("").manifest();
    Manifest other =
        new Manifest(
            one.hosts(),
            List.of(new Manifest.Nic("eth0", 100_000, 1500, "mlx5_core")),
            Map.of("kernel", "6.12"),
            List.of());
    assertThat(one.differences(other).stream().map(it -> String.join(" ", it)))
        .containsExactly("kernel 6.18 6.12", "nic eth0 mtu 9000 1500");
  }

  @Test
  void thisMachineTellsItsConditions() {
    Manifest manifest = MachineWatch.begin().end(List.of("here"), "1", Map.of("ranks", "2"));
    assertThat(manifest.facts()).containsKeys("kernel", "processor", "java", "ranks");
    assertThat(manifest.nics()).extracting(Manifest.Nic::name).contains("lo");
    assertThat(manifest.load()).hasSize(1);
  }
}
