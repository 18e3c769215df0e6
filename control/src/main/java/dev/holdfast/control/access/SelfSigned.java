package dev.holdfast.control.access;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate that vouches for itself: whoever connects compares its fingerprint. The JDK reads
 * certificates but has no public way to make one, so it is written here (RFC 5280): a key on the
 * curve P-256, the names as alternative names, for servers only.
 */
final class SelfSigned {
  static final Duration LASTS = Duration.ofDays(3652);

  /** Clocks of others may be behind ours. */
  private static final Duration BEFORE = Duration.ofDays(1);

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;
  private static final byte[] ECDSA_SHA256 = Der.sequence(Der.kind("1.2.840.10045.4.3.2"));

  private SelfSigned() {}

  /**
   * @param names of the server; the first is what people see
   * @param addresses of the server, 4 or 16 bytes each
   */
  static ServerIdentity make(List<String> names, List<byte[]> addresses, Instant now)
      throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    byte[] name = name("Holdfast on " + names.getFirst());
    byte[] body =
        Der.sequence(
            Der.holding(0, Der.number(BigInteger.TWO)),
            Der.number(new BigInteger(127, new SecureRandom()).setBit(126)),
            ECDSA_SHA256,
            name,
            Der.sequence(Der.time(now.minus(BEFORE)), Der.time(now.plus(LASTS))),
            name,
            pair.getPublic().getEncoded(),
            Der.holding(3, extensions(names, addresses)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(body);
    byte[] whole = Der.sequence(body, ECDSA_SHA256, Der.bits(signature.sign(), 0));
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(whole));
    return new ServerIdentity(pair.getPrivate(), List.of(certificate));
  }

  private static byte[] name(String common) {
    String shown = common.length() > 64 ? common.substring(0, 64) : common;
    return Der.sequence(Der.set(Der.sequence(Der.kind("2.5.4.3"), Der.text(shown))));
  }

  private static byte[] extensions(List<String> names, List<byte[]> addresses) {
    List<byte[]> known = new ArrayList<>();
    names.forEach(it -> known.add(Der.numbered(DNS_NAME, it.getBytes(StandardCharsets.US_ASCII))));
    addresses.forEach(it -> known.add(Der.numbered(IP_ADDRESS, it)));
    byte[] digitalSignature = {(byte) 0x80};
    byte[] servers = Der.sequence(Der.kind("1.3.6.1.5.5.7.3.1"));
    return Der.sequence(
        extension("2.5.29.17", false, Der.sequence(known.toArray(byte[][]::new))),
        extension("2.5.29.19", true, Der.sequence()),
        extension("2.5.29.15", true, Der.bits(digitalSignature, 7)),
        extension("2.5.29.37", false, servers));
  }

  private static byte[] extension(String kind, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.kind(kind), Der.yes(), Der.octets(value))
        : Der.sequence(Der.kind(kind), Der.octets(value));
  }
}
