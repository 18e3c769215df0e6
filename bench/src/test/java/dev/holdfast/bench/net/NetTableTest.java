package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.core.network.Collective;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is printed of a run. */
class NetTableTest {
  @Test
  void whereNothingWasMeasuredNothingIsCalledRight() {
    NetPlan plan =
        new NetPlan(
            List.of(Operation.of(Collective.ALL_REDUCE, 1024, Element.FLOAT, 0, 2)),
            2,
            Transport.TCP,
            1,
            0,
            NetPlan.UNTIL_WARM,
            true,
            1,
            true,
            30);
    Manifest manifest = new Manifest(List.of("n1"), List.of(), Map.of(), List.of());
    LedgerRun run =
        new LedgerRun("", Instant.EPOCH, "holdfast", "", manifest, List.of(), List.of("why"));
    assertThat(NetTable.of(plan, run)).contains("# note: why").doesNotContain("Out of bounds");
  }
}
