package dev.holdfast.bench.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.score.Score;
import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The diagnosis on jobs whose fault is known. */
class FlightScoreTest {
  @Test
  void theGuiltyAreNamedAndTheInnocentLeftAlone() {
    Score score = FlightScore.of(500_000, 220);
    Score.Row all = score.rows().getLast();
    assertThat(all.cases()).isEqualTo(220);
    assertThat(all.decidable()).isGreaterThan(110);
    assertThat(all.exact())
        .as("%s", score.mistakes())
        .isGreaterThanOrEqualTo(all.decidable() * 95 / 100);
    assertThat(all.innocent()).as("%s", score.mistakes()).isLessThanOrEqualTo(all.cases() / 100);
  }

  @Test
  void everySeedGivesTheSameCase() {
    LabelledCase one = CaseMaker.make(77);
    LabelledCase again = CaseMaker.make(77);
    assertThat(again.note()).isEqualTo(one.note());
    assertThat(again.dumps().get(1)).isEqualTo(one.dumps().get(1));
  }

  @Test
  void aLargeJobIsReadAndItsCulpritNamed() {
    LargeJob.Result result = LargeJob.measure(64, 300, 13);
    assertThat(result.blamed()).containsExactly(13);
    assertThat(result.bytes()).isGreaterThan(64 * 300 * 50);
  }

  /** Whatever bytes are changed: an answer or a refusal, never anything else. */
  @Test
  void brokenDumpsAreReadOrRefused() throws IOException {
    LabelledCase one = CaseMaker.make(0);
    List<byte[]> dumps = List.copyOf(one.dumps().values());
    SplittableRandom random = new SplittableRandom(11);
    int read = 0;
    long until = System.nanoTime() + 1_000_000_000L;
    for (int i = 0; i < 3000 && System.nanoTime() < until; i++) {
      Vocabulary vocabulary = new Vocabulary();
      List<Flight> flights = new ArrayList<>();
      for (int rank = 0; rank < Math.min(4, dumps.size()); rank++) {
        byte[] bytes = dumps.get(rank).clone();
        for (int flips = random.nextInt(6); flips > 0; flips--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
        try {
          flights.add(
              FlightReader.read(
                  rank, new ByteArrayInputStream(Arrays.copyOf(bytes, length)), vocabulary));
        } catch (IllegalArgumentException refused) {
          assertThat(refused).hasMessageNotContaining("Exception");
        }
      }
      if (!flights.isEmpty()) {
        read++;
        assertThat(FlightAnalysis.of(Recordings.of(vocabulary, flights, Map.of(), 0))).isNotEmpty();
      }
    }
    assertThat(read).isGreaterThan(10);
  }
}
