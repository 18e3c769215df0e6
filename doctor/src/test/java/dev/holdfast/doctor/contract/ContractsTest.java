package dev.holdfast.doctor.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractsTest {
  /** An image as the probe tells it: TABs are written as blanks here. */
  private static TestNode image(String... lines) {
    return new TestNode()
        .probe("image", String.join("\n", lines).replace(' ', '\t') + "\n")
        .probe("identity", "user=0\nprocesses=own\ncontainer=yes\n")
        .probe("environment", "PATH=/usr/bin\n")
        .probe("filesystems", "/dev/shm\tshm\ttmpfs\tok\t17179869184\t17179869184\t0\t0\n");
  }

  private static CheckResult ask(TestNode node, String id) {
    Check check =
        Contracts.names().stream()
            .flatMap(name -> Contracts.of(name).stream())
            .filter(candidate -> candidate.info().id().equals(id))
            .findFirst()
            .orElseThrow();
    return node.examine(check);
  }

  private static Finding finding(TestNode node, String id) {
    CheckResult result = ask(node, id);
    assertThat(result.findings()).as(id).hasSize(1);
    return result.findings().getFirst();
  }

  @Test
  void everyRuleIsInAListSaysItIsDocumentedAndHowTheDockerfileIsMended() {
    List<CheckInfo> rules =
        Contracts.names().stream()
            .flatMap(name -> Contracts.of(name).stream())
            .map(Check::info)
            .toList();
    assertThat(rules).extracting(CheckInfo::id).doesNotHaveDuplicates().hasSizeGreaterThan(24);
    for (CheckInfo rule : rules) {
      assertThat(rule.id()).startsWith("contract.");
      assertThat(rule.proof()).isEqualTo(Proof.DOCUMENTED);
      assertThat(rule.meaning()).isNotBlank();
      assertThat(rule.remedy()).containsAnyOf("Dockerfile", "docker");
      assertThat(rule.reads()).isNotEmpty();
    }
    assertThat(
            Contracts.names().stream()
                .flatMap(name -> Contracts.of(name).stream())
                .map(check -> check.getClass().getName())
                .collect(Collectors.toSet()))
        .isEqualTo(written());
  }

  private static java.util.Set<String> written() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.holdfast.doctor.contract")
            .stream()
            .filter(type -> type.isAssignableTo(Check.class))
            .map(JavaClass::getName)
            .collect(Collectors.toSet());
  }

  @Test
  void anUnknownPlatformIsToldWithTheNearest() {
    assertThatThrownBy(() -> Contracts.of("sagemakr"))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("did you mean 'sagemaker'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sagemaker", "azureml", "modelarts", "k8s"})
  void aGoodImageHasNoFindings(String platform) {
    TestNode node =
        image(
                "program train /usr/local/bin/train",
                "program python3 /usr/bin/python3",
                "program bash /bin/bash",
                "program conda /opt/conda/bin/conda",
                "path working directory 755 0 writable",
                "path /opt/ml/model directory 755 0 writable",
                "path /home/ma-user directory 755 1000 writable",
                "path /dev/termination-log file 666 0 writable",
                "first /usr/bin/tini --")
            .file("/opt/conda/conda-meta/conda-24.1.0-py311_0.json", "{}")
            .file("/proc/1/status", "Name:\ttini\nSigBlk:\t0000000000004000\nSigCgt:\t0\n")
            .file(
                "/etc/passwd", "root:x:0:0::/root:/bin/sh\nma-user:x:1000:100::/home/ma-user:x\n");
    if (platform.equals("k8s")) {
      node.probe("identity", "user=1000\nprocesses=own\n");
    }
    for (Check check : Contracts.of(platform)) {
      assertThat(node.examine(check).findings()).as(check.info().id()).isEmpty();
    }
  }

  @Test
  void sageMakerNeedsAProgramCalledTrain() {
    Finding finding =
        finding(image("program train ", "program sh /bin/sh"), "contract.sagemaker.entrypoint");
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.remedy()).contains("COPY train");
  }

  @Test
  void filesUnderSageMakersMountsAreTold() {
    TestNode node = image().file("/opt/ml/model/weights.pt", "x");
    assertThat(finding(node, "contract.sagemaker.mounts").summary()).contains("/opt/ml/model");
  }

  @Test
  void aFolderTheUserCannotWriteIsTold() {
    TestNode node = image("path /opt/ml/output directory 755 0 readonly");
    assertThat(finding(node, "contract.sagemaker.paths").summary()).contains("/opt/ml/output");
    assertThat(finding(image(), "contract.modelarts.paths").summary()).contains("does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/bin/sh -c | 0000000000004000 | FAIL",
        "python train.py | 0000000000000002 | FAIL",
        "python train.py | 0000000000004002 | PASS",
        "bash | 0000000000000000 | SKIP",
        "/opt/holdfast/bin/java -cp | 0000000000004000 | SKIP",
        "bash /start.sh | 0000000000010000 | FAIL",
        "python train.py | garbage | FAIL"
      })
  void theFirstProcessMustHearTerm(String first, String caught, Outcome outcome) {
    TestNode node =
        image("first " + first)
            .file(
                "/proc/1/status", "Name:\tx\nSigBlk:\t0000000000000000\nSigCgt:\t" + caught + "\n");
    for (String platform : Contracts.names()) {
      assertThat(ask(node, "contract." + platform + ".signals").outcome()).isEqualTo(outcome);
    }
  }

  @Test
  void onTheHostItselfThereIsNoFirstProcessToJudge() {
    TestNode node = image("first /sbin/init").probe("identity", "user=0\nprocesses=host\n");
    assertThat(ask(node, "contract.k8s.signals").outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void variablesOfThePlatformDoNotBelongIntoTheImage() {
    TestNode node = image().probe("environment", "MA_HOME=/x\nVC_TASK_INDEX=0\n");
    assertThat(finding(node, "contract.modelarts.environment").summary())
        .contains("MA_HOME", "VC_TASK_INDEX");
    node.probe("environment", "MA_HOME=/x\nMA_JOB_DIR=/home/ma-user/modelarts/user-job-dir\n");
    assertThat(ask(node, "contract.modelarts.environment").outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void theRankTableIsAFolder() {
    TestNode node =
        image().probe("environment", "RANK_TABLE_FILE=/user/config\n").file("/user/config", "{}");
    assertThat(finding(node, "contract.modelarts.ranktable").summary()).contains("not a folder");
    TestNode waiting =
        image()
            .probe("environment", "RANK_TABLE_FILE=/user/config\n")
            .file("/user/config/jobstart_hccl.json", "{\"status\": \"initializing\"}");
    assertThat(finding(waiting, "contract.modelarts.ranktable").summary()).contains("not complete");
    waiting.file("/user/config/jobstart_hccl.json", "{\"status\": \"completed\"}");
    assertThat(ask(waiting, "contract.modelarts.ranktable").outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void maUserIsUserOneThousand() {
    TestNode node =
        image().file("/etc/passwd", "ubuntu:x:1000:1000::/home/ubuntu:/bin/bash\n:::\n");
    assertThat(finding(node, "contract.modelarts.user").evidence().getFirst().value())
        .isEqualTo("ubuntu is user 1000");
  }

  @Test
  void smallSharedMemoryIsTold() {
    TestNode node =
        image().probe("filesystems", "/dev/shm\tshm\ttmpfs\tok\t67108864\t67108864\t0\t0\n");
    assertThat(finding(node, "contract.k8s.shm").summary()).contains("64 MiB");
  }

  @Test
  void anOldCondaIsToldAndNoneIsOnlyWorthKnowing() {
    TestNode node =
        image("program conda /opt/conda/bin/conda")
            .file("/opt/conda/conda-meta/conda-4.5.11-py37_0.json", "{}");
    assertThat(finding(node, "contract.azureml.conda").severity()).isEqualTo(Severity.DEGRADED);
    assertThat(finding(image(), "contract.azureml.conda").severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void withoutAnyDataEveryRuleSkipsOrPassesButNeverFails() {
    Stream<Check> all = Contracts.names().stream().flatMap(name -> Contracts.of(name).stream());
    all.forEach(
        check -> {
          CheckResult result = new TestNode().examine(check);
          assertThat(result.findings()).as(check.info().id()).isEmpty();
          assertThat(result.detail()).doesNotContain("HF-1901");
        });
  }

  @Test
  void garbageDoesNoHarm() {
    TestNode node =
        new TestNode()
            .probe("image", "path\npath\ta\nprogram\n\t\t\t\nfirst\n\0")
            .probe("identity", "\0=")
            .probe("filesystems", "/dev/shm\t\t\t\tmany\n")
            .file("/etc/passwd", ":::\n");
    for (String name : Contracts.names()) {
      for (Check check : Contracts.of(name)) {
        assertThat(node.examine(check).detail()).doesNotContain("HF-1901");
      }
    }
  }
}
