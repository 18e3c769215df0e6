package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorFileTest {
  @Test
  void theShapeOfRecord() {
    String text =
        """
        {"message":{"message":"ValueError: boom","extraInfo":{"py_callstack":\
        "Traceback (most recent call last):\\nValueError: boom\\n","timestamp":"1794704681"}}}""";
    ErrorFile file = ErrorFile.parse(text).orElseThrow();
    assertThat(file.message()).startsWith("ValueError: boom\nTraceback");
    assertThat(file.millis()).isEqualTo(1_794_704_681_000L);
  }

  @Test
  void theShapeOfAParent() {
    assertThat(
            ErrorFile.parse(
                "{\"message\":\"Signal 9 (SIGKILL) received by PID 7\",\"timestamp\":12}"))
        .contains(new ErrorFile("Signal 9 (SIGKILL) received by PID 7", 12_000));
  }

  @Test
  void whatIsNoErrorFileIsNone() {
    assertThat(ErrorFile.parse("")).isEmpty();
    assertThat(ErrorFile.parse("{\"message\":{\"mess")).isEmpty();
    assertThat(ErrorFile.parse("[1]")).isEmpty();
    assertThat(ErrorFile.parse("{\"message\":7}")).isEmpty();
    assertThat(ErrorFile.parse("{\"a\":1}")).isEmpty();
    assertThat(ErrorFile.parse(" ".repeat(ErrorFile.MAX_CHARACTERS + 1))).isEmpty();
  }

  @Test
  void aForeignTimeIsNotKnown() {
    assertThat(
            ErrorFile.parse("{\"message\":\"a\",\"timestamp\":\"yesterday\"}")
                .orElseThrow()
                .millis())
        .isZero();
    assertThat(ErrorFile.parse("{\"message\":\"a\",\"timestamp\":-5}").orElseThrow().millis())
        .isZero();
    assertThat(ErrorFile.parse("{\"message\":{}}").orElseThrow()).isEqualTo(new ErrorFile("", 0));
  }
}
