package dev.holdfast.control.evidence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/**
 * Signs what a control plane hands out. Its key is made at the first start and stays in the state
 * folder, readable by its owner only.
 *
 * @param tool the program and its version, as it stands in what is signed
 */
public record Notary(KeyPair keys, String tool) {
  private static final String FILE = "evidence.key";
  private static final String ALGORITHM = "Ed25519";

  /** With a key that ends with the process. */
  public static Notary inMemory() {
    return new Notary(fresh(), "holdfast");
  }

  /** With the key of this folder, which is made when it is not there. */
  public static Notary in(Path folder, String tool) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      write(file, fresh());
    }
    return new Notary(read(file), tool);
  }

  private static KeyPair fresh() {
    try {
      return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java of ours has Ed25519", impossible);
    }
  }

  /** Two lines, the private key and the public one, each base64 of its standard form. */
  private static void write(Path file, KeyPair keys) throws IOException {
    Path part = file.resolveSibling("." + FILE + ".part");
    Files.deleteIfExists(part);
    Files.createFile(
        part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Base64.Encoder base64 = Base64.getEncoder();
    Files.writeString(
        part,
        base64.encodeToString(keys.getPrivate().getEncoded())
            + "\n"
            + base64.encodeToString(keys.getPublic().getEncoded())
            + "\n");
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static KeyPair read(Path file) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
      Base64.Decoder base64 = Base64.getDecoder();
      KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
      return new KeyPair(
          factory.generatePublic(new X509EncodedKeySpec(base64.decode(lines.get(1)))),
          factory.generatePrivate(new PKCS8EncodedKeySpec(base64.decode(lines.getFirst()))));
    } catch (GeneralSecurityException | RuntimeException garbage) {
      throw new IOException(
          file + " does not hold a key; move it away and another is made", garbage);
    }
  }
}
