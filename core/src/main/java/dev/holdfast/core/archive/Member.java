package dev.holdfast.core.archive;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A member as the manifest describes it. */
public record Member(String name, long bytes, String sha256) {
  public Member {
    MemberName.problem(name)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(
                  "the member name " + MemberName.shown(name) + " " + problem);
            });
    if (bytes < 0 || sha256.length() != 64) {
      throw new IllegalArgumentException("member " + name + " has no size or hash");
    }
  }

  static Member of(String name, byte[] content) {
    return new Member(name, content.length, hash(content));
  }

  static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
