package dev.holdfast.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written of the nodes of a job can be read again, whatever they are called. */
class JobMembersTest {
  private static final String LETTERS = "ab01239.-_:@+";

  private static JobMembers readBack(JobMembers members) {
    Map<String, Object> line = Json.object(Json.line(Json.map("members", members.json())));
    return JobMembers.read(Fields.of("job", line).objects("members"), 0);
  }

  private static JobMembers read(Object... elements) {
    Map<String, Object> line = Json.object(Json.line(Json.map("members", List.of(elements))));
    return JobMembers.read(Fields.of("job", line).objects("members"), 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:", "a@", "a+", ".x", "-x", "n1:", "x.", "x-"})
  void namesThatNoHostListHoldsStandAlone(String prefix) {
    List<JobMember> members = new ArrayList<>();
    members.add(new JobMember("n1", 0, 8));
    for (int i = 1; i < 6; i++) {
      members.add(new JobMember(prefix + i, 8 * i, 8));
    }
    assertThat(readBack(JobMembers.of(members))).isEqualTo(JobMembers.of(members));
  }

  @Test
  void anyNamesAreReadBack() {
    Random random = new Random(11);
    for (int round = 0; round < 3_000; round++) {
      List<JobMember> members = new ArrayList<>();
      int processes = random.nextInt(3);
      int rank = 0;
      for (int i = 0; i < 12; i++) {
        members.add(new JobMember(name(random), rank, processes));
        rank += processes;
      }
      JobMembers kept = JobMembers.of(members);
      assertThat(readBack(kept)).as("%s", members).containsExactlyElementsOf(members);
    }
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.append(random.nextInt(4) == 0 ? "" : 8 + random.nextInt(4)).toString();
  }

  @Test
  void aShortTextMeansNoLongOne() {
    JobMembers members =
        read(Json.map("nodes", "x".repeat(240) + "[1-6000]y1", "firstRank", 0, "processes", 1));
    assertThat(members.leftOut()).isPositive();
    assertThat(Json.line(members.json())).hasSizeLessThan(100_000);
    assertThat(readBack(members)).isEqualTo(members);
    assertThatThrownBy(members::requireWhole).hasMessageContaining("letters");
  }

  @Test
  void thousandsOfScatteredNodesAreKept() {
    StringBuilder odd = new StringBuilder("gpu[");
    for (int i = 1; i < 12_000; i += 2) {
      odd.append(i == 1 ? "" : ",").append("%05d".formatted(i));
    }
    JobMembers members = read(Json.map("nodes", odd + "]", "firstRank", 0, "processes", 8));
    assertThat(members).hasSize(6_000);
    assertThat(members.leftOut()).isZero();
    assertThat(readBack(members)).isEqualTo(members);
  }
}
