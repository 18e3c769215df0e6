package dev.holdfast.core.forensics.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Dumps of every form, and what only looks like one. */
class FlightReaderTest {
  /** {@code [{'id': 7, 'pg_id': 0, 'seq_id': 3, 'profiling_name': 'nccl:all_reduce', …}]}. */
  private static final String OLD =
      "gAJdcQB9cQEoWAIAAABpZHECSwdYBQAAAHBnX2lkcQNLAFgGAAAAc2VxX2lkcQRLA1gOAAAAcHJvZmlsaW5n"
          + "X25hbWVxBVgPAAAAbmNjbDphbGxfcmVkdWNlcQZYBQAAAHN0YXRlcQdYCQAAAHNjaGVkdWxlZHEIWAsAAABp"
          + "bnB1dF9zaXplc3EJXXEKXXELKEsISwRlYVgPAAAAdGltZV9jcmVhdGVkX25zcQyKCAABAgMEBQYHdWEu";

  private static Flight read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Flight read(byte[] bytes) throws IOException {
    return FlightReader.read(3, new ByteArrayInputStream(bytes), new Vocabulary());
  }

  @Test
  void theFirstReleasesWroteBareLists() throws IOException {
    Flight flight = read(Base64.getDecoder().decode(OLD));
    assertThat(flight.size()).isEqualTo(1);
    assertThat(flight.version()).isEmpty();
    assertThat(flight.entries().record[0]).isEqualTo(7);
    assertThat(flight.entries().sequence[0]).isEqualTo(3);
    assertThat(flight.entries().elements[0]).isEqualTo(32);
    assertThat(flight.entries().created[0]).isEqualTo(0x0706050403020100L);
  }

  @Test
  void jsonWritesNumbersAsTextAndNothingAsZero() throws IOException {
    Flight flight =
        read(
            """
            {"version":"2.10","comm_lib_version":"2.28.3",
             "pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[0, 1, 3]"}},
             "pg_status":{"0":{"last_enqueued_collective":"12","last_started_collective":"-1",
                               "last_completed_collective":"11"}},
             "entries":[{"record_id":1,"pg_id":0,"process_group":["0","default_pg"],
               "collective_seq_id":12,"p2p_seq_id":0,"profiling_name":"nccl:send 0->2",
               "time_created_ns":5,"input_sizes":[[2,3],[4]],"input_dtypes":["Float"],
               "state":"started","time_discovered_started_ns":6,"time_discovered_completed_ns":0}]}
            """);
    assertThat(flight.version()).isEqualTo("2.10");
    assertThat(flight.library()).isEqualTo("2.28.3");
    Group group = Objects.requireNonNull(flight.groups().get("0"));
    assertThat(group.members()).containsExactly(0, 1, 3);
    assertThat(flight.status()).containsEntry(group.id(), new Flight.Status(12, 11));
    assertThat(flight.entries().elements[0]).isEqualTo(10);
    assertThat(flight.entries().pointToPoint[0]).isTrue();
    assertThat(flight.entries().state[0]).isEqualTo(Entries.STARTED);
  }

  /** Found by an hour of mutated dumps: nothing in it said what was called. */
  @Test
  void anEntryThatDoesNotSayWhatItIsIsNoOtherEntry() throws IOException {
    Vocabulary vocabulary = new Vocabulary();
    String text =
        """
        {"version":"2.10","pg_config":{"0":{"name":"0","desc":"d","ranks":"[0, 3]"}},
         "entries":[{"record_id":1,"pg_id":0,"process_group":["0","d"],"collective_seq_id":2,
                     "state":"started"}]}
        """;
    Flight flight =
        FlightReader.read(
            3, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), vocabulary);
    assertThat(vocabulary.word(flight.entries().operation[0])).isEqualTo("");
    assertThat(FlightAnalysis.of(Recordings.of(vocabulary, List.of(flight), Map.of(), 0)))
        .isNotEmpty();
  }

  @Test
  void whatIsNoDumpIsRefused() {
    for (String text : new String[] {"", "{}", "hello", "[1", "{\"a\":1}", "\u0080\u0002."}) {
      assertThatIllegalArgumentException().as(text).isThrownBy(() -> read(text));
    }
  }

  @Test
  void groupsAndNumbersPairUpInOrderOfCreation() {
    assertThat(GroupNumbers.match(List.of(0L, 4L, 9L), List.of("33", "0", "112"), Map.of(4L, "33")))
        .containsEntry(9L, "112")
        .containsEntry(0L, "0");
    assertThat(GroupNumbers.match(List.of(0L, 4L), List.of("0", "33"), Map.of(4L, "0")))
        .isEqualTo(Map.of(4L, "0"));
  }
}
