package dev.holdfast.os.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The text of a token: {@code hf_} and 32 random bytes. It is shown once and kept as its SHA-256.
 * That is enough for a secret nobody chose: 256 random bits cannot be guessed, and slow hashes and
 * salts only help where secrets are guessable.
 */
public final class Token {
  private static final String PREFIX = "hf_";
  private static final int BYTES = 32;
  private static final Pattern FORM = Pattern.compile("hf_[A-Za-z0-9_-]{43}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Token() {}

  public static String fresh() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** A short name for a token that gives nothing of it away. */
  public static String id(String kind) {
    return kind + "-" + HexFormat.of().toHexDigits(RANDOM.nextInt());
  }

  public static boolean wellFormed(String text) {
    return FORM.matcher(text).matches();
  }

  public static String hash(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The hash of a token, if it can be one. */
  public static String requireHash(String hash) {
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException("the hash should be 64 hexadecimal digits");
    }
    return hash;
  }

  /** In the same time wherever they differ. */
  public static boolean same(String hash, String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
