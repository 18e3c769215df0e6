package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What cards count, beside what {@code ethtool} prints of the same ones. */
class CardStatisticsTest {
  private static final Pattern LINE = Pattern.compile("(?m)^ {5}(.+): (\\d+)$");

  private static Map<String, Long> printed(Path ethtool, String card) {
    Map<String, Long> printed = new LinkedHashMap<>();
    Matcher line =
        LINE.matcher(
            Command.of(List.of(ethtool.toString(), "-S", card))
                .within(Duration.ofSeconds(20))
                .run()
                .output());
    while (line.find()) {
      printed.put(line.group(1).strip(), Long.parseUnsignedLong(line.group(2)));
    }
    return printed;
  }

  @Test
  void theyAreWhatEthtoolPrints() throws SocketException {
    Path ethtool = Tools.require("ethtool", "ethtool");
    int counted = 0;
    for (String card :
        NetworkInterface.networkInterfaces().map(NetworkInterface::getName).toList()) {
      Map<String, Long> before = printed(ethtool, card);
      Map<String, Long> ours = CardStatistics.read(card);
      Map<String, Long> after = printed(ethtool, card);
      assertThat(ours.keySet()).as(card).containsExactlyElementsOf(before.keySet());
      ours.forEach(
          (name, value) -> assertThat(value).as(name).isBetween(before.get(name), after.get(name)));
      counted += ours.size();
    }
    Assumptions.assumeTrue(counted > 0, "no card of this machine counts anything");
  }

  @Test
  void whereThereIsNoCardNothingIsTold() {
    assertThat(CardStatistics.read("no-such-card")).isEmpty();
    assertThat(CardStatistics.read("a-name-longer-than-any-card-has")).isEmpty();
    assertThat(CardStatistics.read("")).isEmpty();
    assertThat(CardStatistics.read("lo")).isEmpty();
  }
}
