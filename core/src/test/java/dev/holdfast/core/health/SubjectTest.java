package dev.holdfast.core.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectTest {
  private static final Subject.Node NODE = new Subject.Node("n17");

  @Test
  void everyKindIsReadBackFromItsText() {
    List<Subject> subjects =
        List.of(
            NODE,
            NODE.gpu(3),
            NODE.nic("mlx5_0", 1),
            NODE.part("pci", "0000:3b:00.0"),
            new Subject.Switch("leaf2", ""),
            new Subject.Switch("leaf2", "14"),
            new Subject.Link("leaf2.14_n17"),
            new Subject.Job("slurm-4711", -1),
            new Subject.Job("slurm-4711", 0),
            new Subject.Volume("scratch"));
    for (Subject subject : subjects) {
      assertThat(Subject.parse(subject.toString())).isEqualTo(subject);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "", "/mnt/a b", "//server/share", "ümläut", "a/b", "..", "tab\there"})
  void aPartWithAnOddNameIsReadBackToo(String name) {
    Subject.Part part = NODE.part("mount", name);
    assertThat(Subject.parse(part.toString())).isEqualTo(part);
    assertThat(part.kind()).isEqualTo("mount");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node",
        "node/",
        "node/n17/",
        "node/n17/gpu",
        "node/n17//3",
        "node/n17/mount/a b",
        "node/a b",
        "switch/leaf2/port/",
        "switch/leaf2/port",
        "switch/leaf2/lane/4",
        "link/a/b",
        "job/42/rank/-1",
        "job/42/rank/4294967295",
        "job/42/rank/007",
        "planet/mars"
      })
  void whatNoSubjectWritesIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Subject.parse(text));
  }

  @Test
  void devicesAreOrderedAsPeopleCount() {
    assertThat(List.of(NODE.gpu(10), NODE.gpu(2), NODE.gpu(1)).stream().sorted())
        .containsExactly(NODE.gpu(1), NODE.gpu(2), NODE.gpu(10));
  }
}
