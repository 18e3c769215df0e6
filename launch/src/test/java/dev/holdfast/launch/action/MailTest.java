package dev.holdfast.launch.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MailTest {
  private static Mail mail(String what, String evidence) {
    return new Mail(
        "oncall@example.org",
        new News(
            ActionSpec.Event.FAILURE,
            Instant.parse("2026-03-01T10:00:00Z"),
            "local-1",
            2,
            "/runs/local-1",
            new Diagnosis(FailureClass.ECC, List.of(3), "n7", 0.9, what, List.of(evidence), 17),
            null));
  }

  private static String header(String message) {
    return message.substring(0, message.indexOf("\n\n"));
  }

  private static String body(String message) {
    return message.substring(message.indexOf("\n\n") + 2);
  }

  @Test
  void plainWordsAreSentAsTheyAre() {
    String message = mail("Rank 3: ECC", "Xid 94").message();
    assertThat(header(message))
        .isEqualTo(
            """
            To: oncall@example.org
            Subject: holdfast: local-1, attempt 2: Rank 3: ECC
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Content-Transfer-Encoding: 7bit""");
    assertThat(body(message)).contains("\"holdfast.news/1\"", "Xid 94");
  }

  @Test
  void otherLettersAndLongLinesTravelEncoded() {
    String what = "Größe λ “fell off” " + "näher ".repeat(40);
    String message = mail(what, "x".repeat(5000)).message();
    assertThat(message).matches("\\p{ASCII}*");
    assertThat(message.lines()).allMatch(line -> line.length() <= 78);
    String subject =
        Pattern.compile("=\\?utf-8\\?B\\?([^?]+)\\?=")
            .matcher(header(message))
            .results()
            .map(found -> decoded(found.group(1)))
            .collect(Collectors.joining());
    assertThat(subject)
        .startsWith("holdfast: local-1, attempt 2: Größe λ “fell off”")
        .endsWith("…");
    assertThat(decoded(body(message))).contains(what, "x".repeat(5000), "holdfast.news/1");
  }

  @Test
  void whatIsTooLongIsCutAndSaysWhereTheRestIs() {
    String text = body(mail("Rank 3", "line\n".repeat(50_000)).message());
    assertThat(decoded(text)).hasSizeLessThan(70_000).endsWith("the rest is in /runs/local-1\n");
  }

  private static String decoded(String base64) {
    return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
