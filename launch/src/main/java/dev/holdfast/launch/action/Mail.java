package dev.holdfast.launch.action;

import dev.holdfast.core.text.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A mail that tells what happened, as a {@code sendmail} takes it: headers, an empty line, the
 * text. Sender, date and identity are for the mail system to add.
 *
 * <p>Mail is old: outside of ASCII a header must be encoded (RFC 2047) and a line may have 998
 * bytes (RFC 5321), so whatever is not plainly fit is sent as base64.
 */
record Mail(String to, News news) {
  private static final int LONGEST_SUBJECT = 200;
  private static final int LONGEST_LINE = 900;

  /** It goes through an environment variable, of which the kernel takes 128 KiB. */
  private static final int LONGEST_TEXT = 60_000;

  /** An encoded word has at most 75 characters; this many bytes fit, with what stands around. */
  private static final int WORD_BYTES = 42;

  String message() {
    String text = news.subject() + "\n\n" + Json.pretty(news.json()) + "\n";
    if (text.length() > LONGEST_TEXT) {
      text = text.substring(0, LONGEST_TEXT) + "\n… the rest is in " + news.folder() + "\n";
    }
    boolean plain = ascii(text) && text.lines().allMatch(line -> line.length() <= LONGEST_LINE);
    return String.join(
            "\n",
            "To: " + to,
            "Subject: " + subject(),
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=" + (plain ? "us-ascii" : "utf-8"),
            "Content-Transfer-Encoding: " + (plain ? "7bit" : "base64"),
            "",
            plain
                ? text
                : Base64.getMimeEncoder(76, new byte[] {'\n'})
                    .encodeToString(text.getBytes(StandardCharsets.UTF_8)))
        + (plain ? "" : "\n");
  }

  private String subject() {
    String subject = news.subject();
    if (subject.length() > LONGEST_SUBJECT) {
      subject = subject.substring(0, LONGEST_SUBJECT - 1) + "…";
    }
    return ascii(subject) ? subject : String.join("\n ", words(subject));
  }

  /** Encoded words; none cuts a character in two. */
  private static List<String> words(String subject) {
    List<String> words = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int bytes = 0;
    for (int character : subject.codePoints().toArray()) {
      String text = Character.toString(character);
      int more = text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + more > WORD_BYTES) {
        words.add(word(part));
        part.setLength(0);
        bytes = 0;
      }
      part.append(text);
      bytes += more;
    }
    words.add(word(part));
    return words;
  }

  private static String word(StringBuilder part) {
    byte[] bytes = part.toString().getBytes(StandardCharsets.UTF_8);
    return "=?utf-8?B?" + Base64.getEncoder().encodeToString(bytes) + "?=";
  }

  private static boolean ascii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
