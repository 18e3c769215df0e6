package dev.holdfast.core.archive;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who made an archive, and that nothing in it was changed since: one more member that holds an
 * Ed25519 signature over kind, time, tool and the hash of every other member.
 *
 * <p>The public key lies beside the signature, so anybody can check that all parts belong together.
 * Whose key it is only a comparison with a known one can tell.
 */
public final class Seal {
  /** Its member in the archive. */
  public static final String NAME = "signature.json";

  private static final String SCHEMA = "holdfast.signature/1";
  private static final String ALGORITHM = "Ed25519";

  private Seal() {}

  /** An archive whose seal is whole, and the key it was made with. */
  public record Sealed(Archive archive, PublicKey key) {}

  public static byte[] write(
      ArchiveKind kind,
      Instant createdAt,
      String tool,
      Map<String, byte[]> content,
      ArchiveLimits limits,
      KeyPair keys) {
    Map<String, String> hashes = new TreeMap<>();
    content.forEach((name, bytes) -> hashes.put(name, Member.hash(bytes)));
    Map<String, byte[]> members = new TreeMap<>(content);
    members.put(NAME, signature(text(kind, createdAt, tool, hashes), keys));
    return ArchiveWriter.write(kind, createdAt, tool, members, limits);
  }

  /** Reads an archive and checks its seal; whatever is wrong with either is told. */
  public static Sealed read(String label, byte[] bytes, ArchiveKind kind, ArchiveLimits limits) {
    Archive archive = ArchiveReader.read(label, bytes, kind, limits);
    Complaint complaint = new Complaint(label);
    byte[] seal = archive.members().get(NAME);
    if (seal == null) {
      throw complaint.because(ErrorCode.DAMAGED_ARCHIVE, "is not signed: " + NAME + " is missing");
    }
    Map<String, String> hashes = new TreeMap<>();
    for (Member member : archive.manifest().members()) {
      if (!member.name().equals(NAME)) {
        hashes.put(member.name(), member.sha256());
      }
    }
    Manifest manifest = archive.manifest();
    String signed = text(manifest.kind(), manifest.createdAt(), manifest.tool(), hashes);
    try {
      Fields fields = Fields.of(NAME, Json.object(new String(seal, StandardCharsets.UTF_8)));
      PublicKey key = key(fields.text("publicKey"));
      Signature check = Signature.getInstance(ALGORITHM);
      check.initVerify(key);
      check.update(signed.getBytes(StandardCharsets.UTF_8));
      if (check.verify(Base64.getDecoder().decode(fields.text("signature")))) {
        return new Sealed(archive, key);
      }
      throw complaint.because(
          ErrorCode.DAMAGED_ARCHIVE, "was changed: its signature does not fit what is in it");
    } catch (GeneralSecurityException | IllegalArgumentException wrong) {
      throw complaint.because(
          ErrorCode.DAMAGED_ARCHIVE, "has a signature that cannot be read: " + wrong.getMessage());
    }
  }

  /** A public key as people copy it: base64 of its standard form. */
  public static String show(PublicKey key) {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  /** The key in what {@link #show} gave. */
  public static PublicKey key(String text) {
    try {
      return KeyFactory.getInstance(ALGORITHM)
          .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(text.strip())));
    } catch (GeneralSecurityException | IllegalArgumentException wrong) {
      throw new IllegalArgumentException("not an Ed25519 public key: " + text.strip(), wrong);
    }
  }

  private static byte[] signature(String text, KeyPair keys) {
    try {
      Signature signing = Signature.getInstance(ALGORITHM);
      signing.initSign(keys.getPrivate());
      signing.update(text.getBytes(StandardCharsets.UTF_8));
      return Json.pretty(
              Json.map(
                  "schema",
                  SCHEMA,
                  "algorithm",
                  ALGORITHM,
                  "publicKey",
                  show(keys.getPublic()),
                  "signature",
                  Base64.getEncoder().encodeToString(signing.sign())))
          .getBytes(StandardCharsets.UTF_8);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java of ours signs with Ed25519", impossible);
    }
  }

  private static String text(
      ArchiveKind kind, Instant createdAt, String tool, Map<String, String> hashes) {
    StringBuilder text = new StringBuilder(SCHEMA + "\n");
    text.append(kind).append('\n').append(Times.show(createdAt)).append('\n');
    text.append(tool).append('\n');
    hashes.forEach((name, hash) -> text.append(hash).append("  ").append(name).append('\n'));
    return text.toString();
  }
}
