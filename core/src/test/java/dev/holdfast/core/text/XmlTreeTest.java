package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.XmlTree.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Elements, attributes and text as written; anything that XML parsers are attacked with is refused.
 */
class XmlTreeTest {
  @Test
  void readsElementsAttributesAndText() {
    Element root =
        XmlTree.read(
            """
            \uFEFF<?xml version="1.0"?>
            <!DOCTYPE a SYSTEM "a.dtd">
            <!-- <b/> -->
            <a one = "1" two='&lt;&#65;&#x42;&amp;"'>
              <b/><c:d.e-f>text
            </c:d.e-f><b x=""></b>
            </a >
            """);
    assertThat(root.name()).isEqualTo("a");
    assertThat(root.line()).isEqualTo(4);
    assertThat(root.attribute("one")).contains("1");
    assertThat(root.attribute("two")).contains("<AB&\"");
    assertThat(root.attribute("three")).isEmpty();
    assertThat(root.children()).extracting(Element::name).containsExactly("b", "c:d.e-f", "b");
    assertThat(root.children("b").getLast().attribute("x")).contains("");
    assertThat(root.children().get(1).text()).isEqualTo("text\n");
    assertThat(root.children().get(1).line()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                      | line 1: no element: this is not XML
          hello                                   | line 1: text outside of the root element
          <a                                      | line 1: '>' is expected
          <a>                                     | line 1: the file ends inside <a>
          <a></b>                                 | line 1: </b> inside <a>
          </a>                                    | line 1: </a> closes nothing
          <a/><b/>                                | line 1: a second root element <b>
          <a/>text                                | line 1: text outside of the root element
          <a b=1/>                                | line 1: an attribute without quotation marks
          <a b="1/>                               | line 1: an attribute without its closing
          <a b="<"/>                              | line 1: a '<' inside an attribute
          <a b="1" b="2"/>                        | line 1: the attribute b stands twice in <a>
          <a b="&lol;"/>                          | line 1: an entity that is not one of XML's own
          <a b="&#0;"/>                           | line 1: an entity that is not one of XML's own
          <a b="&#99999999;"/>                    | line 1: an entity that is not one of XML's own
          <a b="&amp"/>                           | line 1: an entity that is not one of XML's own
          <!-- never closed                       | line 1: a comment without its end
          <? never closed                         | line 1: a processing instruction without its end
          <![CDATA[ never closed                  | line 1: a CDATA section without its end
          <!DOCTYPE a [<!ENTITY b "c">]><a/>      | line 1: a document type with declarations of its
          <!ENTITY b SYSTEM "file:///etc/passwd"> | line 1: a declaration that does not belong here
          <a><!DOCTYPE a></a>                     | line 1: a declaration that does not belong here
          < a/>                                   | line 1: a name is expected
          """)
  void refusesWhatIsNotWellFormedOrAnAttack(String text, String message) {
    assertThatThrownBy(() -> XmlTree.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void namesTheLineOfAMistake() {
    assertThatThrownBy(() -> XmlTree.read("<a>\n<b>\n\n</c>\n</a>"))
        .hasMessageStartingWith("line 4: </c>");
  }

  @Test
  void entitiesThatMultiplyAreRefusedUnread() {
    StringBuilder text = new StringBuilder("<!DOCTYPE lolz [<!ENTITY lol0 \"lol\">");
    for (int i = 1; i < 10; i++) {
      text.append("<!ENTITY lol%d \"%s\">".formatted(i, ("&lol" + (i - 1) + ";").repeat(10)));
    }
    text.append("]><lolz a=\"&lol9;\"/>");
    assertThatThrownBy(() -> XmlTree.read(text.toString()))
        .hasMessageContaining("a document type with declarations of its own");
  }

  @Test
  void depthAndCountsAreBounded() {
    assertThat(XmlTree.read("<a>".repeat(128) + "</a>".repeat(128)).name()).isEqualTo("a");
    assertThatThrownBy(() -> XmlTree.read("<a>".repeat(10_000)))
        .hasMessage("line 1: nested deeper than 128");
    assertThatThrownBy(() -> XmlTree.read("<r>" + "<a/>".repeat(XmlTree.MAX_ELEMENTS) + "</r>"))
        .hasMessage("line 1: more than 262144 elements");
    StringBuilder attributes = new StringBuilder("<a");
    for (int i = 0; i < 300; i++) {
      attributes.append(" a%d=\"\"".formatted(i));
    }
    assertThatThrownBy(() -> XmlTree.read(attributes + "/>"))
        .hasMessage("line 1: more than 256 attributes in <a>");
    assertThatThrownBy(() -> XmlTree.read("<" + "a".repeat(100_000)))
        .hasMessage("line 1: a name longer than 256 characters");
    assertThatThrownBy(() -> XmlTree.read(" ".repeat(XmlTree.MAX_CHARACTERS + 1)))
        .hasMessageStartingWith("more than 64 MiB of XML");
  }

  @Test
  void anotherEncodingIsToldApart() {
    assertThatThrownBy(() -> XmlTree.read("\uFFFD\uFFFD<\0a\0/\0>\0"))
        .hasMessageContaining("If it is in UTF-16, convert it with iconv first");
  }
}
