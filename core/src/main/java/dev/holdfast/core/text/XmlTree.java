package dev.holdfast.core.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the XML that tools write about machines: elements, attributes, and the text of elements
 * that hold nothing else.
 *
 * <p>Written by hand because the parser of the JDK takes longer to load than our commands may take
 * in all, and because what is not there cannot be attacked: there are no entities beside the five
 * of XML and character numbers, a document type is skipped unread and may have no internal subset,
 * nothing is ever fetched, and size, depth and count are bounded.
 */
public final class XmlTree {
  public static final int MAX_CHARACTERS = 64 << 20;
  public static final int MAX_DEPTH = 128;
  public static final int MAX_ELEMENTS = 1 << 18;
  private static final int MAX_ATTRIBUTES = 256;
  private static final int MAX_NAME = 256;

  private final String text;
  private int at;
  private int elements;

  /** One element. */
  public static final class Element {
    private final String name;
    private final String[] attributes;
    private final String document;
    private final int start;
    private final int contentStart;
    private List<Element> children = List.of();
    private String text = "";

    /**
     * @param attributes names and values in turn: there are few, and few of them are asked for
     */
    private Element(
        String name, String[] attributes, String document, int start, int contentStart) {
      this.name = name;
      this.attributes = attributes;
      this.document = document;
      this.start = start;
      this.contentStart = contentStart;
    }

    public String name() {
      return name;
    }

    /** The line it begins on, for messages; counted when asked for, which is seldom. */
    public int line() {
      return XmlTree.line(document, start);
    }

    public Optional<String> attribute(String attribute) {
      for (int i = 0; i < attributes.length; i += 2) {
        if (attributes[i].equals(attribute)) {
          return Optional.of(attributes[i + 1]);
        }
      }
      return Optional.empty();
    }

    private void add(Element child) {
      if (children.isEmpty()) {
        children = new ArrayList<>();
      }
      children.add(child);
    }

    public List<Element> children() {
      return children;
    }

    public List<Element> children(String childName) {
      List<Element> named = new ArrayList<>();
      for (Element child : children) {
        if (child.name.equals(childName)) {
          named.add(child);
        }
      }
      return named;
    }

    /** The text inside, as written, of an element that has no elements inside. */
    public String text() {
      return text;
    }
  }

  private XmlTree(String text) {
    this.text = text;
  }

  /** The root element; throws {@link IllegalArgumentException} that names the line. */
  public static Element read(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "more than " + Bytes.of(MAX_CHARACTERS) + " of XML; no machine needs that");
    }
    int zero = text.indexOf('\0');
    if (zero >= 0) {
      throw new IllegalArgumentException(
          "a NUL character at position "
              + zero
              + ": this is not XML in UTF-8. If it is in UTF-16, convert it with iconv first");
    }
    return new XmlTree(text).document();
  }

  private Element document() {
    if (text.startsWith("\uFEFF")) {
      at = 1;
    }
    Deque<Element> open = new ArrayDeque<>();
    Element root = null;
    while (true) {
      int next = text.indexOf('<', at);
      requireBlank(open.isEmpty(), next < 0 ? text.length() : next);
      if (next < 0) {
        break;
      }
      at = next;
      if (text.startsWith("<!--", at)) {
        skipPast("-->", "a comment");
      } else if (text.startsWith("<?", at)) {
        skipPast("?>", "a processing instruction");
      } else if (text.startsWith("<![CDATA[", at)) {
        skipPast("]]>", "a CDATA section");
      } else if (text.startsWith("<!", at)) {
        skipDocumentType(root == null);
      } else if (text.startsWith("</", at)) {
        close(open);
      } else {
        Element element = openElement(open);
        if (root == null) {
          root = element;
        } else if (open.isEmpty()) {
          throw wrong("a second root element <" + element.name + ">");
        }
        enter(open, element);
      }
    }
    if (!open.isEmpty()) {
      throw wrong("the file ends inside <" + open.element().name + ">");
    }
    if (root == null) {
      throw wrong("no element: this is not XML");
    }
    return root;
  }

  private void requireBlank(boolean outside, int end) {
    if (!outside) {
      return;
    }
    for (int i = at; i < end; i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        at = i;
        throw wrong("text outside of the root element: this is not XML");
      }
    }
  }

  private void skipPast(String end, String what) {
    int found = text.indexOf(end, at);
    if (found < 0) {
      throw wrong(what + " without its end");
    }
    at = found + end.length();
  }

  private void skipDocumentType(boolean allowed) {
    int end = text.indexOf('>', at);
    int subset = text.indexOf('[', at);
    if (!allowed || !text.startsWith("<!DOCTYPE", at) || end < 0) {
      throw wrong("a declaration that does not belong here");
    }
    if (subset >= 0 && subset < end) {
      throw wrong("a document type with declarations of its own; Holdfast reads no entities");
    }
    at = end + 1;
  }

  private void close(Deque<Element> open) {
    int end = at;
    at += 2;
    String name = name();
    skipBlanks();
    expect('>');
    if (open.isEmpty() || !open.element().name.equals(name)) {
      throw wrong(
          "</"
              + name
              + ">"
              + (open.isEmpty() ? " closes nothing" : " inside <" + open.element().name + ">"));
    }
    Element element = open.pop();
    if (element.children.isEmpty()) {
      element.text = text.substring(element.contentStart, end);
    }
  }

  private Element openElement(Deque<Element> open) {
    int start = at;
    if (++elements > MAX_ELEMENTS) {
      throw wrong("more than " + MAX_ELEMENTS + " elements");
    }
    if (open.size() >= MAX_DEPTH) {
      throw wrong("nested deeper than " + MAX_DEPTH);
    }
    at++;
    String name = name();
    List<String> attributes = new ArrayList<>(16);
    while (skipBlanks() && isNameCharacter(peek())) {
      String attribute = name();
      skipBlanks();
      expect('=');
      skipBlanks();
      for (int i = 0; i < attributes.size(); i += 2) {
        if (attributes.get(i).equals(attribute)) {
          throw wrong("the attribute " + attribute + " stands twice in <" + name + ">");
        }
      }
      attributes.add(attribute);
      attributes.add(value());
      if (attributes.size() > 2 * MAX_ATTRIBUTES) {
        throw wrong("more than " + MAX_ATTRIBUTES + " attributes in <" + name + ">");
      }
    }
    return new Element(name, attributes.toArray(String[]::new), text, start, at + 1);
  }

  /** Hangs the element below the one that is open; it stays open unless it ends with {@code />}. */
  private void enter(Deque<Element> open, Element element) {
    Element parent = open.peek();
    if (parent != null) {
      parent.add(element);
    }
    if (peek() == '/') {
      at++;
      expect('>');
    } else {
      expect('>');
      open.push(element);
    }
  }

  private String value() {
    char quote = peek();
    if (quote != '"' && quote != '\'') {
      throw wrong("an attribute without quotation marks");
    }
    int start = ++at;
    int end = text.indexOf(quote, start);
    if (end < 0) {
      throw wrong("an attribute without its closing quotation mark");
    }
    at = end + 1;
    String raw = text.substring(start, end);
    if (raw.indexOf('<') >= 0) {
      throw wrong("a '<' inside an attribute");
    }
    return raw.indexOf('&') < 0 ? raw : resolve(raw);
  }

  private String resolve(String raw) {
    StringBuilder out = new StringBuilder(raw.length());
    int from = 0;
    for (int amp = raw.indexOf('&'); amp >= 0; amp = raw.indexOf('&', from)) {
      int end = raw.indexOf(';', amp);
      Integer codePoint = end < 0 ? null : character(raw.substring(amp + 1, end));
      if (codePoint == null) {
        throw wrong("an entity that is not one of XML's own five; Holdfast reads no others");
      }
      out.append(raw, from, amp).appendCodePoint(codePoint);
      from = end + 1;
    }
    return out.append(raw, from, raw.length()).toString();
  }

  private static @Nullable Integer character(String entity) {
    return switch (entity) {
      case "lt" -> (int) '<';
      case "gt" -> (int) '>';
      case "amp" -> (int) '&';
      case "quot" -> (int) '"';
      case "apos" -> (int) '\'';
      default -> entity.startsWith("#") ? number(entity.substring(1)) : null;
    };
  }

  private static @Nullable Integer number(String digits) {
    boolean hex = digits.toLowerCase(Locale.ROOT).startsWith("x");
    try {
      int value = Integer.parseInt(hex ? digits.substring(1) : digits, hex ? 16 : 10);
      return value > 0 && Character.isValidCodePoint(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private String name() {
    int start = at;
    while (isNameCharacter(peek())) {
      at++;
    }
    if (at == start) {
      throw wrong("a name is expected");
    }
    if (at - start > MAX_NAME) {
      throw wrong("a name longer than " + MAX_NAME + " characters");
    }
    return text.substring(start, at);
  }

  private boolean skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return true;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "' is expected");
    }
    at++;
  }

  private static boolean isNameCharacter(char c) {
    return c >= 'a' && c <= 'z'
        || c == '_'
        || c >= '-' && c <= ':' && c != '/'
        || Character.isLetterOrDigit(c);
  }

  private static int line(String document, int position) {
    int line = 1;
    int end = Math.min(position, document.length());
    for (int i = 0; i < end; i++) {
      line += document.charAt(i) == '\n' ? 1 : 0;
    }
    return line;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("line " + line(text, at) + ": " + what);
  }
}
