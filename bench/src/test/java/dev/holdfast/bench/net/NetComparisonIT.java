package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ours beside another program, which does not always come to its end. */
class NetComparisonIT {
  private static final long BYTES = 4096;

  /** Takes a second a call, so often, and fails then. */
  private static NetPeer.Found peer(int times) {
    List<Integer> calls = new ArrayList<>();
    NetPeer peer =
        new NetPeer(
            "slow one",
            Transport.UNIX,
            (_, _) -> {
              calls.add(1);
              if (calls.size() > times) {
                throw new IOException("slow one failed: exit code 7");
              }
              return Map.of(BYTES, 1.0);
            });
    return new NetPeer.Found(new ArrayList<>(List.of(peer)), List.of());
  }

  private static NetComparison.Result compare(NetPeer.Found found, int rounds) throws IOException {
    return NetComparison.run(found, 2, List.of(BYTES), rounds, _ -> {});
  }

  @Test
  void roundsThatAreCompleteCountWhenAPeerFailsInALaterOne() throws Exception {
    NetComparison.Result result = compare(peer(1), 3);
    assertThat(result.failure())
        .hasValueSatisfying(it -> assertThat(it).hasMessage("slow one failed: exit code 7"));
    assertThat(result.rounds()).isEqualTo(1);
    NetComparison.Row row = result.rows().getFirst();
    assertThat(row.peer()).isEqualTo("slow one");
    assertThat(row.ours()).isGreaterThan(row.theirs());
    assertThat(row.ratio()[0]).isGreaterThan(1).isEqualTo(row.ratio()[1]).isEqualTo(row.ratio()[2]);
    assertThat(result.rows()).as("Unix sockets beside our TCP").hasSize(2);
  }

  @Test
  void withoutACompleteRoundTheFailureIsTheAnswer() {
    assertThatThrownBy(() -> compare(peer(0), 3)).hasMessage("slow one failed: exit code 7");
  }
}
