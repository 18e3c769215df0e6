package dev.holdfast.core.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The policy that holds until a site gives its own: it only recommends. */
public final class DefaultPolicy {
  private static final String FILE = "policy.yaml";

  private DefaultPolicy() {}

  public static Policy policy() {
    return PolicyYaml.read(FILE, text());
  }

  /** The file itself, with its comments: what a site begins its own with. */
  public static String text() {
    try (InputStream in = Objects.requireNonNull(DefaultPolicy.class.getResourceAsStream(FILE))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(FILE, unreadable);
    }
  }
}
