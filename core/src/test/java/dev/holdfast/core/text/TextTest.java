package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small ones: Nearest, Wrap, Xml, Times. */
class TextTest {
  @Test
  void theNearestWordIsSuggestedOnlyWhenItIsNear() {
    List<String> known = List.of("gpu", "nic", "storage");
    assertThat(Nearest.to("storge", known)).contains("storage");
    assertThat(Nearest.to("GPU", known)).contains("gpu");
    assertThat(Nearest.to("completely-else", known)).isEmpty();
    assertThat(Nearest.hint("stroage", known)).isEqualTo(" (did you mean 'storage'?)");
    assertThat(Nearest.hint("completely-else", known)).isEmpty();
  }

  @Test
  void proseIsBrokenAtBlanksAndIndented() {
    assertThat(Wrap.hanging("one two three", 2, 10)).isEqualTo("one two\n  three");
  }

  @Test
  void aWordWiderThanTheLineStaysWhole() {
    assertThat(Wrap.hanging("a incomprehensible b", 0, 5)).isEqualTo("a\nincomprehensible\nb");
  }

  @Test
  void aCutShowsThatSomethingIsMissing() {
    assertThat(Wrap.cut("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Wrap.cut("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(Wrap.cut("abc", 0)).isEqualTo("…");
  }

  @Test
  void markupAndWhatXmlCannotCarryAreReplaced() {
    assertThat(Xml.escape("<a b=\"c\">&\n\t")).isEqualTo("&lt;a b=&quot;c&quot;&gt;&amp;\n\t");
    assertThat(Xml.escape("\u0000\u001b[1m\ud800\uffff")).isEqualTo("\ufffd\ufffd[1m\ufffd\ufffd");
    assertThat(Xml.escape("ü 🚀")).isEqualTo("ü 🚀");
  }

  @Test
  void timesAreUtcWithMilliseconds() {
    assertThat(Times.show(Instant.parse("2026-01-02T03:04:05.678999Z")))
        .isEqualTo("2026-01-02T03:04:05.678Z");
    assertThat(Times.show(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00.000Z");
  }
}
