package dev.holdfast.core.forensics.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Dumps of real jobs in which somebody planted a fault and wrote down where. */
class PublicDumpsTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data/flight-recorder");
  private static final Pattern LABEL = Pattern.compile("Fault ranks: \\[([0-9, ]+)\\]");

  @TestFactory
  Stream<DynamicTest> thePlantedRanksAreNamed() throws IOException {
    assumeTrue(Files.isDirectory(DATA), "the recorded dumps are not here: " + DATA.normalize());
    List<Path> cases;
    try (Stream<Path> listing = Files.list(DATA)) {
      cases = listing.sorted().toList();
    }
    assertThat(cases).isNotEmpty();
    return cases.stream()
        .map(
            folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> name(folder)));
  }

  private static void name(Path folder) throws IOException {
    Matcher label = LABEL.matcher(Files.readString(folder.resolve("fault_injection.log")));
    assertThat(label.find()).isTrue();
    TreeSet<Integer> planted = new TreeSet<>();
    for (String rank : label.group(1).split(",")) {
      planted.add(Integer.parseInt(rank.strip()));
    }
    Vocabulary vocabulary = new Vocabulary();
    List<Flight> flights = new ArrayList<>();
    for (int rank = 0; rank < 16; rank++) {
      try (InputStream in = Files.newInputStream(folder.resolve("_dump_" + rank))) {
        flights.add(FlightReader.read(rank, in, vocabulary));
      }
    }
    Recordings all = Recordings.of(vocabulary, flights, Map.of(), 0);
    assertThat(all.world()).isEqualTo(16);
    Hypothesis best = FlightAnalysis.of(all).getFirst();
    assertThat(best.culprits()).containsExactlyElementsOf(planted);
    assertThat(best.cause()).isEqualTo(Cause.HANG);
    assertThat(best.evidence()).isNotEmpty();
  }
}
