package dev.holdfast.os.process;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The words this process was started with, byte for byte. Java makes text of them by the locale and
 * loses what is no text there: every umlaut where LC_ALL is C, as in many containers.
 */
public final class OwnArguments {
  /** What Java writes where a byte was no text. */
  private static final char LOST = '\uFFFD';

  /** The kernel takes no longer command line: a quarter of the stack limit, at most 6 MiB. */
  private static final int LIMIT = 8 << 20;

  private OwnArguments() {}

  /** The bytes of words that are the last of this process's; of other words, their UTF-8. */
  static List<byte[]> bytes(List<String> words) {
    List<byte[]> own = last(words.size());
    List<byte[]> answer = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean lost = word.indexOf(LOST) >= 0 && own.size() == words.size();
      answer.add(lost ? own.get(i) : word.getBytes(StandardCharsets.UTF_8));
    }
    return answer;
  }

  /** Words that are the last of this process's, with what Java lost of them where it is UTF-8. */
  public static List<String> restored(List<String> words) {
    return bytes(words).stream().map(word -> new String(word, StandardCharsets.UTF_8)).toList();
  }

  private static List<byte[]> last(int count) {
    List<byte[]> all = split(read());
    return all.size() < count ? List.of() : all.subList(all.size() - count, all.size());
  }

  private static byte[] read() {
    try (InputStream stream = new FileInputStream("/proc/self/cmdline")) {
      return stream.readNBytes(LIMIT);
    } catch (IOException unreadable) {
      return new byte[0];
    }
  }

  static List<byte[]> split(byte[] line) {
    List<byte[]> words = new ArrayList<>();
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    for (byte b : line) {
      if (b == 0) {
        words.add(word.toByteArray());
        word.reset();
      } else {
        word.write(b);
      }
    }
    return words;
  }
}
