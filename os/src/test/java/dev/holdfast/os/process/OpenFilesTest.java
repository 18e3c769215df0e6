package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFilesTest {
  @Test
  void theSoftLimitCounts() {
    assertThat(OpenFiles.limit("Max open files            1024                 4096      files \n"))
        .hasValue(1024);
    assertThat(OpenFiles.limit("Max open files            unlimited            unlimited files\n"))
        .isEmpty();
    assertThat(OpenFiles.limit("")).isEmpty();
  }

  @Test
  void thisProcessHasOne() {
    assertThat(OpenFiles.limit().orElse(Long.MAX_VALUE)).isPositive();
  }
}
