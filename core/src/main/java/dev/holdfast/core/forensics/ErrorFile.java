package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a rank wrote into the file named by TORCHELASTIC_ERROR_FILE: its exception, and when.
 *
 * <p>There are two shapes: {@code {"message":{"message":…,"extraInfo":{"timestamp":…}}}} of {@code
 * record}, and {@code {"message":"…","timestamp":…}}. The time counts whole seconds.
 *
 * @param message the exception, then the stack if there is one
 * @param millis since 1970; 0: the file does not say
 */
public record ErrorFile(String message, long millis) {
  /** Longer texts are not read. */
  public static final int MAX_CHARACTERS = 1 << 20;

  private static final int MAX_MESSAGE = 64 * 1024;
  private static final long LATEST_SECOND = 253_402_300_799L;

  /** Empty when it is no error file, which happens when a rank dies while it writes one. */
  public static Optional<ErrorFile> parse(String text) {
    if (text.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> file;
    try {
      file = Json.foreignObject(text);
    } catch (IllegalArgumentException notJson) {
      return Optional.empty();
    }
    return switch (file.get("message")) {
      case String message ->
          Optional.of(new ErrorFile(cut(message), millis(file.get("timestamp"))));
      case Map<?, ?> inner -> Optional.of(nested(inner));
      case null, default -> Optional.empty();
    };
  }

  private static ErrorFile nested(Map<?, ?> inner) {
    String message = inner.get("message") instanceof String text ? text : "";
    if (!(inner.get("extraInfo") instanceof Map<?, ?> extra)) {
      return new ErrorFile(cut(message), 0);
    }
    String stack = extra.get("py_callstack") instanceof String text ? text : "";
    return new ErrorFile(
        cut(stack.isBlank() ? message : message + "\n" + stack), millis(extra.get("timestamp")));
  }

  private static String cut(String message) {
    return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
  }

  private static long millis(@Nullable Object timestamp) {
    long seconds =
        switch (timestamp) {
          case Long number -> number;
          case Double number -> number.longValue();
          case String text when text.matches("[0-9]{1,12}") -> Long.parseLong(text);
          case null, default -> 0;
        };
    return seconds > 0 && seconds <= LATEST_SECOND ? seconds * 1000 : 0;
  }
}
