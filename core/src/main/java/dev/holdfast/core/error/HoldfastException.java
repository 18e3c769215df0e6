package dev.holdfast.core.error;

import org.jspecify.annotations.Nullable;

/** An error told to the user: a code from the catalogue and what exactly happened. */
public final class HoldfastException extends RuntimeException {
  private final ErrorCode code;

  public HoldfastException(ErrorCode code, String detail) {
    this(code, detail, null);
  }

  public HoldfastException(ErrorCode code, String detail, @Nullable Throwable cause) {
    super(detail, cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }

  /** What happened, without the code. */
  public String detail() {
    String message = getMessage();
    return message == null ? code.what() : message;
  }
}
