package dev.holdfast.core.forensics.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Dumps of a real process: PyTorch 2.11 with NCCL 2.28.9 on one H200, six all_reduce, an
 * all_gather, a broadcast, a barrier and an all_reduce in a second group; then one behind a kernel
 * that spins.
 */
class RecordedDumpsTest {
  private final Vocabulary vocabulary = new Vocabulary();

  private Flight read(String name) throws IOException {
    try (InputStream in = RecordedDumpsTest.class.getResourceAsStream(name)) {
      return FlightReader.read(0, in, vocabulary);
    }
  }

  @Test
  void bothFormsOfADumpSayTheSame() throws IOException {
    Flight pickled = read("torch-2.11-done.pickle");
    Flight json = read("torch-2.11-done.json");
    for (Flight flight : List.of(pickled, json)) {
      assertThat(flight.version()).isEqualTo("2.10");
      assertThat(flight.library()).isEqualTo("2.28.9");
      assertThat(flight.partial()).isEmpty();
      assertThat(flight.size()).isEqualTo(10);
      assertThat(flight.entries().state).containsOnly(Entries.COMPLETED);
      assertThat(flight.entries().elements[0]).isEqualTo(1024);
    }
    assertThat(json.entries().operation).isEqualTo(pickled.entries().operation);
    assertThat(json.entries().created).isEqualTo(pickled.entries().created);
    assertThat(json.entries().sequence).isEqualTo(pickled.entries().sequence);
    assertThat(json.groups()).isEqualTo(pickled.groups());
  }

  @Test
  void aCollectiveThatWaitsOnTheDeviceIsSeenToWait() throws IOException {
    Flight flight = read("torch-2.11-waiting.pickle");
    assertThat(flight.size()).isEqualTo(11);
    assertThat(flight.entries().state[10]).isEqualTo(Entries.SCHEDULED);
    // One rank proves nothing about others, and that is what is said.
    Recordings all = Recordings.of(vocabulary, List.of(flight), Map.of(), 0);
    assertThat(FlightAnalysis.of(all).getFirst().culprits()).isEmpty();
  }
}
