package dev.holdfast.agent.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.memory.Change;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.testing.Found;
import dev.holdfast.agent.testing.TryNode;
import dev.holdfast.agent.testing.TryPlane;
import dev.holdfast.agent.watch.FolderMachine;
import dev.holdfast.agent.watch.Watch;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestsTest {
  private static final Subject HERE = new Subject.Node(TryNode.NAME);

  @TempDir Path folder;
  private TryNode node;
  private Memory memory;
  private Requests requests;

  @BeforeEach
  void open() throws IOException {
    node = TryNode.in(folder);
    memory = Memory.open("node/clean", folder.resolve("state"), 8 << 20);
    FolderMachine machine = new FolderMachine(node.folder(), InstantSource.system());
    Watch watch =
        new Watch(machine, Checks.all(), Site.none(LocalDate.EPOCH), _ -> History.EMPTY, _ -> {});
    requests =
        new Requests(
            memory,
            watch,
            machine,
            new SiteScripts(folder.resolve("actions.d")),
            _ -> new Outcome(Answer.DONE, "asked the launcher"),
            _ -> {},
            InstantSource.system());
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private static Request request(Request.Kind kind, Subject subject, String... checks) {
    return new Request("a-1", kind, subject, List.of(checks), "why", Instant.now().plusSeconds(60));
  }

  private String answer(Request request) throws Exception {
    assertThat(requests.take(List.of(request))).isTrue();
    TryPlane.until("answered", Duration.ofSeconds(30), () -> memory.waitingReports() > 0);
    assertThat(requests.take(List.of(request))).isFalse();
    List<String> told = Found.told(memory);
    assertThat(told).hasSize(1);
    return told.getFirst();
  }

  private void script(String name, String text) throws IOException {
    Path actions = Files.createDirectories(folder.resolve("actions.d"));
    Files.setPosixFilePermissions(actions, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = actions.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void aNodeThatPassesIsVerified() throws Exception {
    assertThat(answer(request(Request.Kind.VERIFY, HERE, "gpu.reachable", "nic.link.state")))
        .isEqualTo("answered a-1 done passed: gpu.reachable, nic.link.state");
  }

  @Test
  void aNodeThatStillFailsIsNot() throws Exception {
    node.gpuLost(3);
    assertThat(answer(request(Request.Kind.VERIFY, HERE, "gpu.reachable")))
        .startsWith("answered a-1 failed gpu.reachable: ");
  }

  @Test
  void aCheckThatCannotLookDoesNotVerify() throws Exception {
    assertThat(answer(request(Request.Kind.VERIFY, HERE, "software.npu")))
        .startsWith("answered a-1 failed software.npu could not look: ");
  }

  @Test
  void whatThereAreNoMeansForIsRefused() throws Exception {
    assertThat(answer(request(Request.Kind.RESET_DEVICE, new Subject.Node("clean").gpu(3))))
        .startsWith("answered a-1 refused no means here");
  }

  @Test
  void anotherNodesSubjectIsRefused() throws Exception {
    assertThat(answer(request(Request.Kind.VERIFY, new Subject.Node("n2"), "gpu.count")))
        .startsWith("answered a-1 refused node/n2 is not of this node");
  }

  @Test
  void theSitesScriptActsOnceForAnId() throws Exception {
    Path trace = folder.resolve("trace");
    script("reset-device", "echo \"$1 $HOLDFAST_REQUEST\" >> " + trace + "; echo reset it");
    Request reset = request(Request.Kind.RESET_DEVICE, new Subject.Node("clean").gpu(3));
    assertThat(answer(reset)).isEqualTo("answered a-1 done reset it");
    assertThat(requests.take(List.of(reset))).isFalse();
    assertThat(Files.readString(trace)).isEqualTo("node/clean/gpu/3 a-1\n");
  }

  @Test
  void aScriptOthersMayChangeIsNotRun() throws Exception {
    script("cordon", "touch " + folder.resolve("ran"));
    Files.setPosixFilePermissions(
        folder.resolve("actions.d/cordon"), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(answer(request(Request.Kind.CORDON, HERE))).contains("refused").contains("not run");
    assertThat(folder.resolve("ran")).doesNotExist();
  }

  @Test
  void whatAnEarlierLifeBeganAndDidNotEndIsUnknown() throws Exception {
    assertThat(memory.commit(new Change().set("request/a-9", "begun"))).isTrue();
    requests.recall();
    assertThat(Found.told(memory).getFirst()).startsWith("answered a-9 unknown");
  }
}
