package dev.holdfast.store.manage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of those who may manage a store from other machines. It never crosses the network: the
 * store sends a number nobody has seen before, and who knows the secret can answer with its
 * signature.
 */
public final class Token {
  private static final int SHORTEST = 16;
  private static final int LONGEST = 4096;

  private final byte[] secret;

  private Token(byte[] secret) {
    this.secret = secret;
  }

  public static Token of(String text) {
    String secret = text.strip();
    if (secret.length() < SHORTEST || secret.length() > LONGEST) {
      throw new IllegalArgumentException(
          "a token has from %d to %d characters; make one with: openssl rand -hex 32"
              .formatted(SHORTEST, LONGEST));
    }
    return new Token(secret.getBytes(StandardCharsets.UTF_8));
  }

  /** The token of a file, which only its owner, and perhaps its group, may read. */
  public static Token read(Path file) throws IOException {
    if (Files.size(file) > LONGEST) {
      throw new IllegalArgumentException(file + " is not a token: it is too long");
    }
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
    if (rights.contains(PosixFilePermission.OTHERS_READ)
        || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalArgumentException(
          file + " can be read or written by everybody; chmod 600 " + file);
    }
    return of(Files.readString(file));
  }

  static String challenge() {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  String proof(String challenge) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return HexFormat.of()
          .formatHex(
              mac.doFinal(("holdfast store " + challenge).getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** Whether it answers the challenge; takes as long for a wrong answer as for the right one. */
  boolean proves(String challenge, String answer) {
    return MessageDigest.isEqual(
        proof(challenge).getBytes(StandardCharsets.US_ASCII),
        answer.getBytes(StandardCharsets.UTF_8));
  }
}
