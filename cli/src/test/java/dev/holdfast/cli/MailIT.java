package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What reaches an operator's mail box when a job fails: a real run, with a sendmail of our own in
 * front of the PATH that keeps what it is given. Python's mail package reads it.
 */
class MailIT {
  private static final String SENDMAIL =
      """
      #!/bin/sh
      sleep 2
      folder=$(mktemp -d "${0%/*}/../mails/XXXXXX")
      echo "$*" >"$folder/arguments"
      cat >"$folder/text"
      """;

  private static final String READ =
      """
      import email, email.policy, json, sys
      with open(sys.argv[1], "rb") as file:
          mail = email.message_from_binary_file(file, policy=email.policy.default)
      print(json.dumps({"to": mail["To"], "subject": mail["Subject"], "text": mail.get_content(),
                        "defects": len(mail.defects)}))
      """;

  @TempDir Path folder;

  @Test
  void aJobThatFailsForGoodMailsWhyAndThatItIsOver() throws Exception {
    Path programs = Files.createDirectories(folder.resolve("programs"));
    Path mails = Files.createDirectories(folder.resolve("mails"));
    Path sendmail = Files.writeString(programs.resolve("sendmail"), SENDMAIL);
    Files.setPosixFilePermissions(sendmail, PosixFilePermissions.fromString("rwxr-xr-x"));
    CommandResult result =
        Command.of(
                HoldfastProgram.command(
                    List.of(),
                    List.of(
                        "run",
                        "--standalone",
                        "--log-dir=" + folder.resolve("logs"),
                        "--action=notify:mail=oncall@example.org",
                        "--action=end=notify:mail=team@example.org",
                        "--",
                        "/bin/sh",
                        "-c",
                        "echo 'RuntimeError: Größe 3 ≠ 4' >&2; exit 1")))
            .with("PATH", programs + ":" + System.getenv("PATH"))
            .with("XDG_RUNTIME_DIR", folder.toString())
            .with("HOLDFAST_STATE_DIR", folder.resolve("state").toString())
            .within(Duration.ofMinutes(2))
            .run();
    assertThat(result.exitCode()).as(result.error()).isOne();
    List<Map<String, ?>> read = new ArrayList<>();
    try (var each = Files.list(mails)) {
      for (Path mail : each.toList()) {
        assertThat(Files.readString(mail.resolve("arguments"))).isEqualTo("-t -i\n");
        read.add(read(mail.resolve("text")));
      }
    }
    assertThat(read)
        .as(result.error())
        .extracting(mail -> String.valueOf(mail.get("to")))
        .containsExactlyInAnyOrder("oncall@example.org", "team@example.org");
    assertThat(read).allMatch(mail -> Long.valueOf(0).equals(mail.get("defects")));
    Map<String, ?> failure =
        read.stream()
            .filter(mail -> "oncall@example.org".equals(mail.get("to")))
            .findFirst()
            .orElseThrow();
    assertThat(String.valueOf(failure.get("subject"))).contains("attempt 0").contains("ank 0");
    String text = String.valueOf(failure.get("text"));
    Map<String, ?> news = Json.object(text.substring(text.indexOf('{')));
    assertThat(news.get("schema")).isEqualTo("holdfast.news/1");
    assertThat(text).contains("Größe 3 ≠ 4");
  }

  private static Map<String, ?> read(Path mail) throws IOException {
    CommandResult result =
        Command.of("/usr/bin/python3", "-c", READ, mail.toString())
            .within(Duration.ofSeconds(30))
            .run();
    assertThat(result.succeeded()).as(result.error() + Files.readString(mail)).isTrue();
    return Json.object(result.output());
  }
}
