package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs are written by devices that are failing: anything may be in them. */
class HostileLogTest {
  private static List<KernelEvent> decode(String text) {
    return KernelLog.decode(text, Optional.empty(), Optional.empty());
  }

  @Test
  void randomBytesAndCutLinesDoNotThrow() {
    Random random = new Random(17);
    List<String> examples = KernelRule.entries().stream().map(KernelRule::example).toList();
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 20_000; line++) {
      String example = examples.get(random.nextInt(examples.size()));
      StringBuilder damaged =
          new StringBuilder(example.substring(0, random.nextInt(example.length() + 1)));
      for (int change = random.nextInt(6); change > 0; change--) {
        damaged.insert(random.nextInt(damaged.length() + 1), (char) random.nextInt(0x300));
      }
      text.append(damaged).append('\n');
    }
    assertThatCode(() -> decode(text.toString())).doesNotThrowAnyException();
  }

  @Test
  void numbersTooLargeForTheirTypeAreNotCodes() {
    assertThat(decode("NVRM: Xid (PCI:0000:3b:00): 99999999999999999999, x\n")).isEmpty();
    assertThat(decode("NVRM: Xid (PCI:0000:3b:00): \n")).isEmpty();
    assertThat(decode("NVRM: Xid (): 79, x\n")).isEmpty();
    assertThat(decode("99999,1,999999999999999999,-;NVRM: Xid (PCI:0000:3b:00): 79, x\n"))
        .hasSize(1);
    assertThat(decode("NVRM: Xid (PCI:0000:3b:00): 74, link 999(0xffffffff, 0xffffffff)\n"))
        .hasSize(1);
  }

  @Test
  void aLineOfAMegabyteCostsNoMoreThanItsFirstKilobytes() {
    String line = "NVRM: Xid (PCI:0000:3b:00): 79, " + "(".repeat(1 << 20);
    List<KernelEvent> events = decode(line + "\nNVRM: Xid (PCI:0000:3c:00): 79, x\n");
    assertThat(events).hasSize(2);
    assertThat(events.getFirst().line()).hasSizeLessThanOrEqualTo(KernelLine.MAXIMUM_LENGTH);
  }

  @Test
  void keepsTheNewestOfTooManyEvents() {
    StringBuilder text = new StringBuilder();
    for (int code = 1000; code < 1000 + 2 * Bursts.MAXIMUM_EVENTS; code++) {
      text.append("NVRM: Xid (PCI:0000:3b:00): ").append(code).append(", x\n");
    }
    List<KernelEvent> events = decode(text.toString());
    assertThat(events).hasSize(Bursts.MAXIMUM_EVENTS);
    assertThat(events.getLast().code()).hasValue(999 + 2 * Bursts.MAXIMUM_EVENTS);
  }

  static Stream<KernelRule> rules() {
    return KernelRule.entries().stream();
  }

  /** Counts characters looked at, so that the bound holds on any machine. */
  @ParameterizedTest
  @MethodSource("rules")
  void noPatternBacktracksWithoutEnd(KernelRule rule) {
    int length = KernelLine.MAXIMUM_LENGTH;
    String half = rule.example().substring(0, rule.example().length() / 2);
    for (String part : List.of(rule.markers().getFirst(), rule.example(), half, "0000:3b:00.0: ")) {
      String text = part.repeat(length / part.length() + 1).substring(0, length);
      Counting counting = new Counting(text);
      Matcher matcher = rule.pattern().matcher(counting);
      boolean found = matcher.find();
      assertThat(counting.looks).as("%s on %s (%s)", rule.id(), part, found).isLessThan(2_000_000);
    }
  }

  private static final class Counting implements CharSequence {
    private final String text;
    private long looks;

    Counting(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      looks++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
