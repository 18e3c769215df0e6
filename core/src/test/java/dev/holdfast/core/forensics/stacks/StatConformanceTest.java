package dev.holdfast.core.forensics.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Trees that STAT's own merger wrote are written here, line for line but for the order. */
class StatConformanceTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data/stat");

  private static Stream<Path> graphs() throws IOException {
    assumeTrue(Files.isDirectory(DATA), "the recorded trees are not here: " + DATA.normalize());
    List<Path> files;
    try (Stream<Path> listing = Files.list(DATA)) {
      files = listing.filter(file -> file.toString().endsWith(".dot")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(5);
    return files.stream();
  }

  private static List<String> lines(String text) {
    return text.lines().sorted().toList();
  }

  @TestFactory
  Stream<DynamicTest> tracesAreMergedAsStatDoes() throws IOException {
    return graphs()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      String json = file.toString().replace(".dot", ".json");
                      StackTree tree = StackReader.traces(Files.readString(Path.of(json)));
                      assertThat(lines(StatDot.of(tree).text()))
                          .isEqualTo(lines(Files.readString(file)));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> whatIsReadIsWrittenAgain() throws IOException {
    return graphs()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      StatDot read = StatDot.parse(Files.readString(file));
                      assertThat(lines(read.text())).isEqualTo(lines(Files.readString(file)));
                      assertThat(lines(StatDot.of(read.tree()).text()))
                          .isEqualTo(lines(Files.readString(file)));
                    }));
  }
}
