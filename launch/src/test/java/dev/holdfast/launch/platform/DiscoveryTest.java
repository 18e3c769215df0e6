package dev.holdfast.launch.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Environments as platforms make them, with invented names, each beside what is read out of it; see
 * src/test/resources/platforms.
 */
class DiscoveryTest {
  private static final Path CASES = Path.of("src/test/resources/platforms");

  static Stream<Path> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void readsWhatThePlatformSays(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".txt", ".expected");
    Golden.verify(CASES.resolve(name), told(surroundings(Files.readAllLines(file))));
  }

  @Test
  void thereAreManyOfThem() throws IOException {
    assertThat(cases().count()).isGreaterThanOrEqualTo(20);
  }

  private static Surroundings surroundings(List<String> lines) {
    Map<String, String> environment = new LinkedHashMap<>();
    Map<String, String> files = new LinkedHashMap<>();
    String host = "";
    String open = "";
    for (String line : lines) {
      if (line.startsWith("host ")) {
        host = line.substring(5);
      } else if (line.startsWith("file ")) {
        open = line.substring(5);
        files.put(open, "");
      } else if (!open.isEmpty()) {
        files.merge(open, line + "\n", String::concat);
      } else {
        int equals = line.indexOf('=');
        environment.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return new Surroundings(environment, path -> Optional.ofNullable(files.get(path)), host);
  }

  private static String told(Surroundings around) {
    try {
      return told(Discovery.of(around));
    } catch (HoldfastException wrong) {
      return wrong.code().code() + " " + wrong.detail() + "\n";
    }
  }

  private static String told(Platform platform) {
    StringBuilder text = new StringBuilder();
    line(text, "platform", platform.name());
    line(text, "job", platform.job().orElse("-"));
    if (!platform.run().isEmpty()) {
      line(text, "run", platform.run());
    }
    String rank = platform.nodeRank().isPresent() ? "" + platform.nodeRank().getAsInt() : "?";
    String count = platform.nodeCount().isPresent() ? "" + platform.nodeCount().getAsInt() : "?";
    line(text, "node", "%s, %s of %s".formatted(platform.node(), rank, count));
    line(text, "nodes", String.join(",", platform.nodes()));
    String port = platform.port().isPresent() ? ":" + platform.port().getAsInt() : "";
    line(text, "meet", platform.host().orElse("-") + port);
    line(
        text,
        "processes",
        platform.processes().isPresent() ? "" + platform.processes().getAsInt() : "-");
    line(text, "address", platform.address().orElse("-"));
    line(text, "grace", platform.grace().toSeconds() + " s");
    line(text, "failure files", String.join(",", platform.failureFiles()));
    if (!platform.program().isEmpty()) {
      line(text, "program", String.join(" ", platform.program()));
    }
    new TreeMap<>(platform.environment()).forEach((name, value) -> line(text, name, value));
    platform
        .troubles()
        .forEach(
            trouble ->
                line(
                    text,
                    "trouble",
                    trouble.code().code() + " " + trouble.trait() + " " + trouble.what()));
    platform.notes().forEach(note -> line(text, "note", note));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value.isEmpty() ? "-" : value).append('\n');
  }
}
