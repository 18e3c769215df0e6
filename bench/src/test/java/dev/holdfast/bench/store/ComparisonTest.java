package dev.holdfast.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.bench.peer.Contender;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How figures become ratios and verdicts. */
class ComparisonTest {
  private static final String OURS = "holdfast";
  private static final String PEER = "libtorch";
  private final List<Sample> samples = new ArrayList<>();

  private void sample(String who, Case of, Map<String, @Nullable Object> values) {
    samples.add(new Sample(who, of, 0, values, ""));
  }

  private void load(String who, int connections, double rate, double cpu, double latency) {
    sample(
        who,
        new Case(Case.LOAD, "add", connections),
        Json.map(
            "operationsPerSecond", rate,
            "serverCpuMicrosecondsPerOperation", cpu,
            "p50Seconds", latency,
            "p99Seconds", latency * 3));
  }

  private void event(String who, String measure, int clients, double seconds) {
    sample(
        who, new Case(measure, "", clients), Json.map("seconds", seconds, "serverCpuSeconds", 1.0));
  }

  private static BitSet cpu(int number) {
    BitSet set = new BitSet();
    set.set(number);
    return set;
  }

  private StoreResult result() {
    StorePlan plan =
        new StorePlan(
            List.of(new Contender.Holdfast(0), new Contender.Libtorch(true)),
            List.of("add"),
            List.of(1, 64),
            8000,
            1,
            2,
            3,
            cpu(0),
            cpu(1),
            0);
    return new StoreResult(plan, new Samples(samples), true, "0.1", "0.9");
  }

  private Row row(String measure, int connections) {
    return result().comparisons().getFirst().rows().stream()
        .filter(row -> row.of().measure().equals(measure))
        .filter(row -> row.of().connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void manyClientsAreJudgedBySpeedAndProcessorTime() {
    load(OURS, 64, 95_000, 10, 1e-3);
    load(PEER, 64, 100_000, 10, 1e-3);
    assertThat(row(Case.LOAD, 64).verdict()).isEqualTo("pass");
    assertThat(row(Case.LOAD, 64).ratio()).isEqualTo(0.95);
  }

  @Test
  void whatIsMissedIsNamed() {
    load(OURS, 64, 90_000, 12, 1e-3);
    load(PEER, 64, 100_000, 10, 1e-3);
    assertThat(row(Case.LOAD, 64).verdict()).isEqualTo("miss: speed, CPU");
    assertThat(result().lowestThroughput()).isEqualTo(0.9);
  }

  @Test
  void oneClientIsJudgedByLatency() {
    load(OURS, 1, 10, 99, 1.2e-4);
    load(PEER, 1, 10, 1, 1.0e-4);
    assertThat(row(Case.LOAD, 1).verdict()).isEqualTo("miss: latency");
  }

  @Test
  void mediansOverTheRoundsAreCompared() {
    load(OURS, 64, 10, 1, 1);
    load(OURS, 64, 100, 1, 1);
    load(OURS, 64, 110, 1, 1);
    load(PEER, 64, 100, 1, 1);
    Row row = row(Case.LOAD, 64);
    assertThat(row.ours()).isEqualTo(100);
    assertThat(row.spread()).isEqualTo(1);
    assertThat(StoreBenchText.of(result(), Style.PLAIN, 100)).contains("100 % apart");
  }

  @Test
  void aStormMustBeQuickAndLinear() {
    for (int clients : List.of(2000, 4000, 8000)) {
      event(OURS, Case.CANCEL, clients, clients * 1e-6);
      event(PEER, Case.CANCEL, clients, clients * 1e-5);
      event(OURS, Case.DISCONNECT, clients, (double) clients * clients * 1e-9);
      event(PEER, Case.DISCONNECT, clients, clients * 1e-5);
    }
    assertThat(row(Case.CANCEL, 8000).verdict()).isEqualTo("pass");
    assertThat(row(Case.CANCEL, 4000).verdict()).isEmpty();
    assertThat(row(Case.DISCONNECT, 8000).verdict()).isEqualTo("miss: time, not linear");
  }

  @Test
  void memoryHasALimitOfItsOwn() {
    Case memory = new Case(Case.MEMORY, "", 8000);
    sample(OURS, memory, Json.map("bytesPerConnection", 17_000.0));
    sample(PEER, memory, Json.map("bytesPerConnection", 90_000.0));
    assertThat(row(Case.MEMORY, 8000).verdict()).isEqualTo("miss: memory");
  }

  @Test
  void whatWasNotMeasuredIsNotPassed() {
    load(OURS, 64, 100, 1, 1);
    samples.add(new Sample(PEER, new Case(Case.LOAD, "add", 64), 0, Json.map(), "it hung up"));
    assertThat(row(Case.LOAD, 64).verdict()).isEqualTo("miss: not measured");
    assertThat(StoreBenchText.of(result(), Style.PLAIN, 100)).contains("it hung up");
  }

  @Test
  void theResultIsReadByPrograms() {
    load(OURS, 64, 100, 1, 1);
    load(PEER, 64, 100, 1, 1);
    Fields result = Fields.of("result", Json.object(StoreBenchJson.of(result())));
    assertThat(result.text("schema")).isEqualTo("holdfast.bench.store/1");
    assertThat(StoreBenchJson.of(result())).contains("\"reached\"").contains("\"samples\"");
  }

  @Test
  void cpusAreReadAsListsAndOnlyThoseAllowed() {
    BitSet allowed = new BitSet();
    allowed.set(0, 8);
    assertThat(CpuShares.read("--server-cpus", "0-2,5", allowed).toString())
        .isEqualTo("{0, 1, 2, 5}");
    for (String wrong : List.of("", "a", "3-1", "7-8", "1,,2")) {
      assertThatThrownBy(() -> CpuShares.read("--server-cpus", wrong, allowed))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("--server-cpus");
    }
  }
}
