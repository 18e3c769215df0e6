package dev.holdfast.control.access;

import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server proves with that it is the right one.
 *
 * @param chain its own certificate first
 */
public record ServerIdentity(PrivateKey key, List<X509Certificate> chain) {
  private static final String CERTIFICATE_FILE = "tls.crt";
  private static final String KEY_FILE = "tls.key";
  private static final int MOST = 256 << 10;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  public ServerIdentity {
    chain = List.copyOf(chain);
  }

  /** The one of a folder; made for these names when there is none. */
  public static ServerIdentity of(
      Path folder, List<String> names, List<byte[]> addresses, Instant now) throws IOException {
    Path certificate = folder.resolve(CERTIFICATE_FILE);
    Path key = folder.resolve(KEY_FILE);
    if (!(BoundedFile.read(key, MOST) instanceof Reading.Absent)) {
      return read(certificate, key);
    }
    try {
      ServerIdentity made = SelfSigned.make(names, addresses, now);
      AtomicFile.write(certificate, pem("CERTIFICATE", made.chain.getFirst().getEncoded()));
      AtomicFile.writeSecret(key, pem("PRIVATE KEY", made.key.getEncoded()));
      return made;
    } catch (GeneralSecurityException impossible) {
      throw new IOException("a certificate cannot be made: " + impossible.getMessage(), impossible);
    }
  }

  /** From files in PEM form: the certificates from the server's own upwards, and its key. */
  public static ServerIdentity read(Path certificate, Path key) throws IOException {
    try {
      Collection<? extends java.security.cert.Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(text(certificate).getBytes(StandardCharsets.UTF_8)));
      if (chain.isEmpty()) {
        throw new IOException(certificate + " holds no certificate in PEM form");
      }
      List<X509Certificate> own = chain.stream().map(X509Certificate.class::cast).toList();
      ServerIdentity identity = new ServerIdentity(privateKey(key, own.getFirst()), own);
      identity.requireMatch(certificate, key);
      return identity;
    } catch (CertificateException garbage) {
      throw new IOException(
          certificate + " cannot be read as certificates: " + garbage.getMessage(), garbage);
    }
  }

  private static PrivateKey privateKey(Path file, X509Certificate certificate) throws IOException {
    Matcher match = KEY.matcher(text(file));
    if (!match.find()) {
      throw new IOException(
          file
              + " holds no key of the form BEGIN PRIVATE KEY; `openssl pkcs8 -topk8 -nocrypt -in "
              + file.getFileName()
              + "` turns others into it");
    }
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(match.group(1));
      String kind = certificate.getPublicKey() instanceof ECPublicKey ? "EC" : "";
      return KeyFactory.getInstance(
              kind.isEmpty() ? certificate.getPublicKey().getAlgorithm() : kind)
          .generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException | IllegalArgumentException garbage) {
      throw new IOException(file + " cannot be read as the key: " + garbage.getMessage(), garbage);
    }
  }

  private void requireMatch(Path certificate, Path file) throws IOException {
    byte[] sample = "holdfast".getBytes(StandardCharsets.US_ASCII);
    String kind =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(kind);
      signing.initSign(key);
      signing.update(sample);
      byte[] signed = signing.sign();
      signing.initVerify(chain.getFirst());
      signing.update(sample);
      if (signing.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException unusable) {
      throw new IOException(file + " cannot be used: " + unusable.getMessage(), unusable);
    }
    throw new IOException(file + " is not the key of " + certificate);
  }

  /** SHA-256 of the server's own certificate. */
  public String fingerprint() {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(chain.getFirst().getEncoded()));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public boolean expired(Instant now) {
    return now.isAfter(chain.getFirst().getNotAfter().toInstant());
  }

  /** The names and addresses it stands for, as they come in a request. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    try {
      Collection<List<?>> all = chain.getFirst().getSubjectAlternativeNames();
      for (List<?> name : all == null ? List.<List<?>>of() : all) {
        if (name.get(1) instanceof String text) {
          names.add(text.toLowerCase(Locale.ROOT));
        }
      }
    } catch (CertificateParsingException garbage) {
      // Then it stands for no name.
    }
    return names;
  }

  private static String text(Path file) throws IOException {
    Reading reading = BoundedFile.read(file, MOST);
    return reading.text().orElseThrow(() -> new IOException(reading.why()));
  }

  private static byte[] pem(String kind, byte[] bytes) throws CertificateEncodingException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, lines, kind)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
