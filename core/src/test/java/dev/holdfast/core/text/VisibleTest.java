package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VisibleTest {
  @Test
  void whatWouldActOnATerminalIsShownAsJsonWritesIt() {
    assertThat(Visible.text("\u001b]0;owned\u0007")).isEqualTo("\\u001b]0;owned\\u0007");
    assertThat(Visible.text("a\bb\u007f\u0090q\u009c\u009b2J"))
        .isEqualTo("a\\u0008b\\u007f\\u0090q\\u009c\\u009b2J");
    assertThat(Visible.text("n\u202e1gnp\u2066\u2069\u200e\u200f\u061c\ufeff\u200b"))
        .isEqualTo("n\\u202e1gnp\\u2066\\u2069\\u200e\\u200f\\u061c\\ufeff\\u200b");
    assertThat(Visible.text("a\u2028b\u2029\ud800c\udc00\uffff\ufdd0"))
        .isEqualTo("a\\u2028b\\u2029\\ud800c\\udc00\\uffff\\ufdd0");
    assertThat(Visible.text(new String(Character.toChars(0xe0041)))).isEqualTo("\\udb40\\udc41");
  }

  @Test
  void proseKeepsItsLinesAndANameHasOne() {
    assertThat(Visible.text("a\r\n\tb\rc\n")).isEqualTo("a\n\tb\\rc\n");
    assertThat(Visible.line("a\r\n\tb")).isEqualTo("a\\r\\n\\tb");
  }

  @Test
  void wordsOfAllLanguagesStayAsTheyAre() {
    String words = "Zürich 東京 עברית ümläut 🚀 ├─ … → × €";
    assertThat(Visible.text(words)).isSameAs(words);
  }

  @Test
  void ourStylesPassAndThoseOfOthersDoNot() {
    String ours = Style.ANSI.red("down\u001b[32m");
    assertThat(Style.painted(Visible.text(ours))).isEqualTo("\u001b[31;1mdown\\u001b[32m\u001b[0m");
    assertThat(Style.PLAIN.red("down")).isEqualTo("down");
  }

  @Test
  void aTableMeasuresWhatItShows() {
    Columns table = new Columns(Set.of(), "name", "why");
    table.add(List.of("n\u001b[2J", "first"));
    table.add(List.of("n2", "two\nlines"));
    assertThat(table.text(Style.PLAIN))
        .isEqualTo("name        why\nn\\u001b[2J  first\nn2          two\\nlines\n");
  }

  @Test
  void aLineBreakInProseCannotBeginALineOfItsOwn() {
    assertThat(Wrap.hanging("all\nholdfast: fine", 2, 40)).isEqualTo("all\n  holdfast: fine");
  }

  @Test
  void aJsonDocumentStaysTheSameDocument() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      String text =
          random
              .ints(20)
              .mapToObj(
                  it -> Character.toString(Math.floorMod(it, it % 3 == 0 ? 0x110000 : 0x2100)))
              .reduce("", String::concat);
      String shown = Visible.text(Json.pretty(Json.map("text", text)));
      assertThat(Json.object(shown)).containsEntry("text", Unicode.whole(text));
    }
  }
}
