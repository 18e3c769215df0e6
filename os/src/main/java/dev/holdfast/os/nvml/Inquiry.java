package dev.holdfast.os.nvml;

import java.io.IOException;

/**
 * Asks the library one thing about one device and writes down the answer, whatever it is: the
 * value, the refusal, or that the value cannot be true.
 *
 * <p>When the device turns out to be lost, that is written once and every further question is left
 * unasked, since each could take seconds to fail.
 */
final class Inquiry {
  private final NvmlLibrary library;
  private final Answer answer;
  private final long device;
  private final int driver;
  private boolean failed;
  private boolean lost;

  Inquiry(NvmlLibrary library, Answer answer, long device, int driver) {
    this.library = library;
    this.answer = answer;
    this.device = device;
    this.driver = driver;
  }

  NvmlLibrary library() {
    return library;
  }

  Answer answer() {
    return answer;
  }

  /** The major version of the driver, 0 when it does not tell. */
  int driver() {
    return driver;
  }

  /** {@code function(device, …)}; writes nothing but a failure of the device as a whole. */
  int call(String function, long a, long b, long c, long d) throws IOException {
    if (lost) {
      return NvmlWords.GPU_IS_LOST;
    }
    int code = library.call(function, device, a, b, c, d, 0);
    lost = code == NvmlWords.GPU_IS_LOST;
    if (!failed && (lost || code == NvmlWords.RESET_REQUIRED)) {
      failed = true;
      answer.failed(function, NvmlWords.code(code));
    }
    return code;
  }

  /** Whether the call gave an answer; if not, the refusal is written under the key. */
  boolean answered(String key, int code) {
    if (code != NvmlWords.SUCCESS && !lost) {
      answer.refused(key, NvmlWords.code(code));
    }
    return code == NvmlWords.SUCCESS;
  }

  /** {@code function(device, char *text, unsigned int size)} */
  void text(String key, String function, int size) throws IOException {
    if (answered(key, call(function, library.place(0, size), size, 0, 0))) {
      answer.word(key, library.getText(0, size));
    }
  }

  /** {@code function(device, unsigned int *value)} */
  void number(String key, String function, long most) throws IOException {
    if (answered(key, call(function, library.place(0, 8), 0, 0, 0))) {
      plausible(key, library.getUnsigned(0), most);
    }
  }

  /** {@code function(device, unsigned int which, unsigned int *value)} */
  void numberOf(String key, String function, long which, long most) throws IOException {
    if (answered(key, call(function, which, library.place(0, 8), 0, 0))) {
      plausible(key, library.getUnsigned(0), most);
    }
  }

  /** {@code function(device, unsigned int *milliwatts)} */
  void watts(String key, String function) throws IOException {
    if (answered(key, call(function, library.place(0, 8), 0, 0, 0))) {
      answer.thousandths(key, library.getUnsigned(0));
    }
  }

  /** {@code function(device, enum *value)} */
  void word(String key, String function, String[] words) throws IOException {
    if (answered(key, call(function, library.place(0, 8), 0, 0, 0))) {
      answer.word(key, NvmlWords.of(words, library.getUnsigned(0)));
    }
  }

  /** {@code function(device, enum *current, enum *pending)} */
  void words(String key, String pendingKey, String function, String[] words) throws IOException {
    if (answered(key, call(function, library.place(0, 8), library.place(8, 8), 0, 0))) {
      answer.word(key, NvmlWords.of(words, library.getUnsigned(0)));
      answer.word(pendingKey, NvmlWords.of(words, library.getUnsigned(8)));
    }
  }

  void plausible(String key, long value, long most) {
    if (value < 0 || value > most) {
      answer.implausible(key, value);
    } else {
      answer.number(key, value);
    }
  }
}
