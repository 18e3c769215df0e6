package dev.holdfast.bench.blame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.network.blame.Endpoint;
import dev.holdfast.core.network.blame.Outcome;
import dev.holdfast.core.network.blame.Pair;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a site's command prints, and what it means for the pair. */
class CommandMeasureTest {
  private static final Pair PAIR =
      new Pair(new Endpoint("a1", "", "l1"), new Endpoint("b2", "", "l1"));

  private static Outcome measured(Duration deadline, String... command) {
    return new CommandMeasure(List.of(command), deadline, 2, (_, _, _) -> {})
        .round(1, List.of(PAIR))
        .getFirst();
  }

  @Test
  void aNumberAloneIsGigabytes() {
    assertThat(measured(Duration.ofSeconds(20), "sh", "-c", "echo 12.5"))
        .isEqualTo(new Outcome.Measured(12.5));
  }

  @Test
  void theNamesAreGivenWhereAskedForOrAtTheEnd() {
    assertThat(measured(Duration.ofSeconds(20), "sh", "-c", "echo no {b} {a} >&2; exit 3"))
        .isEqualTo(new Outcome.Failed("no b2 a1"));
    assertThat(measured(Duration.ofSeconds(20), "sh", "-c", "echo $0 $1 >&2; exit 3"))
        .isEqualTo(new Outcome.Failed("a1 b2"));
  }

  @Test
  void whatABenchmarkPrintsIsUnderstood() {
    String qperf = "tcp_bw:\n    bw  =  3.2 GB/sec\n";
    assertThat(CommandMeasure.bandwidth(qperf)).hasValue(3.2);
    assertThat(CommandMeasure.bandwidth("no idea")).isEmpty();
  }

  @Test
  void nothingPrintedOrNoEndIsAFailure() {
    assertThat(measured(Duration.ofSeconds(20), "true"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, it -> assertThat(it.why()).contains("printed no bandwidth"));
    assertThat(measured(Duration.ofMillis(300), "sh", "-c", "exec sleep 60"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, it -> assertThat(it.why()).contains("no end within"));
    assertThat(measured(Duration.ofSeconds(20), "/no/such/program"))
        .isInstanceOf(Outcome.Failed.class);
  }
}
