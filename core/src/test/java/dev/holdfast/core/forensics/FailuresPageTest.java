package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Golden;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The page docs/failures.md says what the code does. */
class FailuresPageTest {
  private static final String HEAD =
      "| rule | class | blames | retry | meaning | what to do | proof |\n";

  @Test
  void theTableOfRulesIsTheTableInUse() throws Exception {
    Path file = Golden.root().resolve("docs/failures.md");
    String page = Files.readString(file);
    int table = page.indexOf(HEAD);
    String before = table < 0 ? page : page.substring(0, table);
    Golden.verify(file, before + table());
  }

  @Test
  void everyClassIsExplained() throws Exception {
    String page = Files.readString(Golden.root().resolve("docs/failures.md"));
    for (FailureClass kind : FailureClass.values()) {
      assertThat(page).contains("| `" + kind.word() + "` |");
    }
  }

  private static String table() {
    StringBuilder table = new StringBuilder(HEAD).append("|---|---|---|---|---|---|---|\n");
    for (FailureRule rule : FailureRules.all()) {
      table
          .append("| `")
          .append(rule.id())
          .append("` | ")
          .append(rule.kind().word())
          .append(" | ")
          .append(rule.blame().name().toLowerCase(Locale.ROOT))
          .append(" | ")
          .append(rule.retry().name().toLowerCase(Locale.ROOT))
          .append(" | ")
          .append(rule.meaning())
          .append(" | ")
          .append(rule.remedy())
          .append(" | ")
          .append(rule.proof())
          .append(" |\n");
    }
    return table.toString();
  }
}
