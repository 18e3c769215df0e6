package dev.holdfast.launch.supervise;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An environment for a child, byte for byte. Java makes text of its own by the locale and loses
 * what is none; so ours is read from the kernel and only what is set anew is encoded.
 */
final class Environment {
  private static final int LIMIT = 8 << 20;

  /** Who has one of these may speak as a launcher, or manage a store: no business of a rank. */
  private static final Set<String> TOKENS = Set.of("HOLDFAST_TOKEN", "HOLDFAST_STORE_TOKEN");

  /** One character a byte, so that nothing is lost on the way. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private final Map<String, String> variables;

  private Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** That of this process, as it was at its start. */
  static Environment own() {
    try (InputStream stream = new FileInputStream("/proc/self/environ")) {
      return parse(stream.readNBytes(LIMIT));
    } catch (IOException unreadable) {
      return new Environment(Map.of()).with(System.getenv());
    }
  }

  static Environment parse(byte[] block) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String variable : new String(block, BYTES).split("\0")) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        variables.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return new Environment(variables);
  }

  Environment with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(variables);
    more.forEach((name, value) -> all.put(raw(name), raw(value)));
    return new Environment(all);
  }

  /** The same for a program that is not ours. */
  Environment withoutTokens() {
    return without(TOKENS);
  }

  Environment without(Collection<String> names) {
    Map<String, String> some = new LinkedHashMap<>(variables);
    names.forEach(name -> some.remove(raw(name)));
    return new Environment(some);
  }

  /**
   * What this has beyond another, one character a byte; empty when the other has something that
   * this has not, or has otherwise.
   */
  Optional<Map<String, String>> beyond(Environment other) {
    if (!variables.entrySet().containsAll(other.variables.entrySet())) {
      return Optional.empty();
    }
    Map<String, String> more = new LinkedHashMap<>(variables);
    more.keySet().removeAll(other.variables.keySet());
    return Optional.of(more);
  }

  String path() {
    return variables.getOrDefault("PATH", "");
  }

  List<byte[]> lines() {
    List<byte[]> lines = new ArrayList<>();
    variables.forEach((name, value) -> lines.add((name + "=" + value).getBytes(BYTES)));
    return lines;
  }

  static List<byte[]> words(List<String> command) {
    return command.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static String raw(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), BYTES);
  }
}
