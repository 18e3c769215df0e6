package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedFolderTest {
  @TempDir Path folder;

  @Test
  void manyShortFilesMayStandInOneTableAndAFolderOnTopReplacesOrRemovesThem() throws IOException {
    Path base = node("base", "/sys/a\t1\n/sys/b\tx\\ny\n/sys/c/d\t3\n");
    Path top = Files.createDirectories(folder.resolve("top"));
    Files.writeString(top.resolve("base"), "../base\n");
    Files.writeString(top.resolve("files"), "/sys/a\t2\n");
    Files.writeString(top.resolve("removed"), "root/sys/c\n");

    assertThat(RecordedFolder.open(base).read("/sys/b").text()).contains("x\ny\n");
    assertThat(RecordedFolder.open(top).number("/sys/a")).hasValue(2);
    assertThat(RecordedFolder.open(top).list("/sys")).containsExactly("a", "b");
  }

  @Test
  void aRowThatIsNoFileIsRefusedByName() throws IOException {
    Path node = node("bad", "/sys/a 1\n");
    assertThatThrownBy(() -> RecordedFolder.open(node))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("/sys/a 1");
  }

  private Path node(String name, String files) throws IOException {
    Path node = Files.createDirectories(folder.resolve(name));
    Files.writeString(node.resolve("about"), "node=n1\ntime=2026-01-01T12:00:00Z\n");
    Files.writeString(node.resolve("files"), files);
    return node;
  }
}
