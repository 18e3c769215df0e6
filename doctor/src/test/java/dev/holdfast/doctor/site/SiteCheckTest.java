package dev.holdfast.doctor.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteCheckTest {
  private static final SiteCheck CHECK = new SiteCheck("scratch", "/x/scratch.sh");

  private static CheckResult examine(String printed) {
    return new TestNode().probe("site-check/scratch", printed).examine(CHECK);
  }

  @Test
  void aFindingIsToldAsTheScriptSaysIt() {
    CheckResult result =
        examine(
            """
            {"outcome": "fail", "severity": "fatal", "summary": "2 GiB free", "subject": "mount/s",
             "evidence": [{"source": "df", "value": 2}, "half of it is logs"],
             "meaning": "Jobs end.", "remedy": "rm -r /s/old"}
            """);
    Finding finding = result.findings().getFirst();
    assertThat(result.outcome()).isEqualTo(Outcome.FAIL);
    assertThat(finding.check()).isEqualTo("site.scratch");
    assertThat(finding.subject()).hasToString("node/n1/mount/s");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.summary()).isEqualTo("2 GiB free");
    assertThat(finding.evidence())
        .containsExactly(new Evidence("df", "2"), new Evidence("said", "half of it is logs"));
    assertThat(finding.meaning()).isEqualTo("Jobs end.");
    assertThat(finding.remedy()).isEqualTo("rm -r /s/old");
  }

  @Test
  void whatTheScriptLeavesOutHasSensibleDefaults() {
    CheckResult warned = examine("{\"outcome\":\"warn\",\"summary\":\"slow\"}");
    assertThat(warned.outcome()).isEqualTo(Outcome.WARN);
    assertThat(warned.findings().getFirst().evidence())
        .containsExactly(new Evidence("/x/scratch.sh", "warn"));
    assertThat(warned.findings().getFirst().subject()).hasToString("node/n1");
    assertThat(warned.findings().getFirst().remedy()).contains("/x/scratch.sh");
    assertThat(examine("{\"outcome\":\"fail\",\"summary\":\"x\"}").findings().getFirst().severity())
        .isEqualTo(Severity.DEGRADED);
    assertThat(examine("{\"outcome\":\"pass\"}").detail()).isEqualTo("ok");
    assertThat(examine("{\"outcome\":\"skip\",\"summary\":\"no disk\"}").detail())
        .isEqualTo("no disk");
  }

  @Test
  void countersAreKeptAndTheirGrowthIsTold() {
    CheckResult result =
        new TestNode()
            .earlier(Duration.ofMinutes(5), Map.of("site.scratch.retries", 10L))
            .probe(
                "site-check/scratch",
                "{\"outcome\":\"pass\",\"summary\":\"fine\",\"counters\":{\"retries\":12}}")
            .examine(CHECK);
    assertThat(result.detail()).startsWith("fine, retries 12 (+2 in 5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                              | printed nothing",
        "`   `                                           | printed nothing",
        "all good                                        | not JSON",
        "[]                                              | not a JSON object",
        "{}                                              | 'outcome' is missing: one of [fail, pass,",
        "{\"outcome\":\"ok\"}                            | 'outcome' is 'ok': one of",
        "{\"outcome\":1}                                 | 'outcome' is not a text",
        "{\"outcome\":\"warn\"}                          | 'summary' is missing",
        "{\"outcome\":\"pass\",\"sumary\":\"x\"}         | unknown key 'sumary' (did you mean 'summary'?)",
        "{\"outcome\":\"pass\"} {\"outcome\":\"pass\"}   | not JSON",
        "{\"outcome\":\"fail\",\"summary\":\"x\",\"severity\":\"info\"} | does not fit 'outcome' fail",
        "{\"outcome\":\"warn\",\"summary\":\"x\",\"severity\":\"fatal\"} | does not fit 'outcome' warn",
        "{\"outcome\":\"pass\",\"evidence\":\"x\"}       | 'evidence' is not a list",
        "{\"outcome\":\"pass\",\"evidence\":[7]}         | 'evidence' holds something other",
        "{\"outcome\":\"pass\",\"counters\":{\"a\":-1}}  | counter 'a' is not a whole number",
        "{\"outcome\":\"pass\",\"counters\":[]}          | 'counters' is not an object",
        "{\"outcome\":\"warn\",\"summary\":\"x\",\"subject\":\"gpu\"} | a part needs a kind and a name",
        "{\"outcome\":\"warn\",\"summary\":\"x\",\"subject\":\"job/a b\"} | not a name",
        "\u0001\u0002\ufffd\ufffd                         | not JSON",
      })
  void brokenAnswersAreSkipsThatSayWhatIsWrong(String printed, String reason) {
    CheckResult result = examine(printed);
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).startsWith("HF-1202 /x/scratch.sh: ").contains(reason);
  }

  @Test
  void aScriptThatCouldNotBeRunIsASkip() {
    CheckResult result =
        new TestNode().broken("probe/site-check/scratch", "killed after 5 s").examine(CHECK);
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(result.detail()).isEqualTo("HF-1202 killed after 5 s");
  }

  @Test
  void aScriptThatOthersMayChangeIsAWarning() {
    CheckResult result =
        new TestNode()
            .denied("probe/site-check/scratch", "/x/scratch.sh is writable by everyone: not run")
            .examine(CHECK);
    assertThat(result.outcome()).isEqualTo(Outcome.WARN);
    assertThat(result.detail()).isEqualTo("HF-1202 /x/scratch.sh is writable by everyone: not run");
    assertThat(result.findings().getFirst().remedy()).contains("chmod 755 /x/scratch.sh");
  }

  @Test
  void recordedListsAreReadWithCare() {
    var node =
        new TestNode()
            .probe("site-checks", "a.b\t/x/a-b\nBad Name\t/x\n\nc\n../d\t/x\ne2\t/y/e2\n")
            .node();
    assertThat(SiteChecks.discover(node).stream().map(check -> check.info().id()))
        .containsExactly("site.a.b", "site.e2");
    assertThat(SiteChecks.discover(new TestNode().node())).isEmpty();
  }
}
