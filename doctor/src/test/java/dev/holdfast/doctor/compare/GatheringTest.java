package dev.holdfast.doctor.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.doctor.snapshot.SnapshotArchive;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatheringTest {
  @TempDir Path folder;

  private Path snapshot(String file, String node, String kernel) throws IOException {
    byte[] archive =
        SnapshotArchive.write(
            Map.of(
                "about",
                "node=" + node + "\ntime=2026-01-01T12:00:00Z\n",
                "root/proc/sys/kernel/osrelease",
                kernel + "\n"),
            Instant.EPOCH,
            "test");
    return Files.write(folder.resolve(file), archive);
  }

  private static Gathering gather(Object... arguments) {
    return Gathering.of(Stream.of(arguments).map(String::valueOf).toList(), _ -> {});
  }

  @Test
  void filesFoldersAndPatternsAreExpanded() throws IOException {
    Path first = snapshot("a1.zip", "n1", "6.8");
    snapshot("a2.zip", "n2", "6.8");
    snapshot("b3.zip", "n3", "5.15");
    assertThat(gather(folder).nodes().stream().map(NodeFacts::node))
        .containsExactly("n1", "n2", "n3");
    assertThat(gather(folder + "/a*.zip").nodes()).hasSize(2);
    assertThat(gather(first, folder).nodes()).as("each file once").hasSize(3);
    Path fixtures = Golden.root().resolve("fixtures/nodes");
    Path fixture = fixtures.resolve("clean");
    assertThat(gather(fixture, first).nodes().stream().map(NodeFacts::node))
        .containsExactly("clean", "n1");
    assertThat(gather(fixtures).nodes()).isNotEmpty();
  }

  @Test
  void whatCannotBeReadIsListedAndTheRestIsCompared() throws IOException {
    snapshot("a.zip", "n1", "6.8");
    snapshot("b.zip", "n2", "6.8");
    Files.writeString(folder.resolve("c.zip"), "no zip at all");
    byte[] whole = Files.readAllBytes(folder.resolve("a.zip"));
    Files.write(folder.resolve("d.zip"), Arrays.copyOf(whole, whole.length / 2));
    Files.createDirectory(folder.resolve("empty"));
    Gathering gathering =
        gather(folder, folder.resolve("none.zip"), folder.resolve("empty"), folder + "/x*.zip");
    assertThat(gathering.nodes()).hasSize(2);
    assertThat(gathering.unreadable().stream().map(Unreadable::code))
        .containsExactly("HF-1101", "HF-1102", "HF-1005", "HF-1101", "HF-1005");
    assertThat(gathering.unreadable()).allMatch(left -> left.reason().contains(left.place()));
  }

  @Test
  void snapshotsOfTheSameNodeAreToldApartByFile() throws IOException {
    snapshot("monday.zip", "n1", "6.8");
    snapshot("tuesday.zip", "n1", "6.9");
    assertThat(gather(folder).nodes().stream().map(NodeFacts::node))
        .containsExactly("n1 (monday.zip)", "n1 (tuesday.zip)");
  }

  @Test
  void nothingElseOfASnapshotIsKept() throws IOException {
    snapshot("a.zip", "n1", "6.8");
    List<NodeFacts> nodes = gather(folder).nodes();
    assertThat(nodes.getFirst().values()).containsEntry("kernel.release", "6.8");
  }
}
