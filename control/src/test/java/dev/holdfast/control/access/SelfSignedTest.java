package dev.holdfast.control.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testing.Tools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfSignedTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
  private static final byte[] FOUR = {10, 0, 0, 7};
  private static final byte[] SIXTEEN = {
    0x20, 0x01, 0x0d, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
  };

  @TempDir Path folder;

  private ServerIdentity made(Instant now) throws Exception {
    return ServerIdentity.of(folder, List.of("head", "head.example"), List.of(FOUR, SIXTEEN), now);
  }

  @Test
  void itNamesTheServerVouchesForItselfAndLastsTenYears() throws Exception {
    var certificate = made(NOW).chain().getFirst();
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity(java.util.Date.from(NOW));
    assertThat(Duration.between(NOW, certificate.getNotAfter().toInstant()).toDays())
        .isBetween(3650L, 3653L);
    assertThat(made(NOW).names())
        .containsExactlyInAnyOrder("head", "head.example", "10.0.0.7", "2001:db8:0:0:0:0:0:1");
    assertThat(certificate.getBasicConstraints()).as("it signs no others").isEqualTo(-1);
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
  }

  @Test
  void itIsMadeOnceAndItsKeyIsItsOwners() throws Exception {
    String first = made(NOW).fingerprint();
    assertThat(made(NOW.plusSeconds(9)).fingerprint()).isEqualTo(first);
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("tls.key"))))
        .isEqualTo("rw-------");
  }

  @Test
  void lateYearsAreWrittenInFull() throws Exception {
    Instant late = Instant.parse("2049-06-01T00:00:00Z");
    assertThat(made(late).chain().getFirst().getNotAfter().toInstant())
        .isEqualTo(late.plus(SelfSigned.LASTS));
  }

  @Test
  void othersReadItAsWeMeantIt() throws Exception {
    made(NOW);
    Path openssl = Tools.require("openssl", "openssl");
    String said =
        run(
            openssl.toString(),
            "x509",
            "-in",
            folder.resolve("tls.crt").toString(),
            "-noout",
            "-text",
            "-fingerprint",
            "-sha256");
    assertThat(said)
        .contains(
            "DNS:head, DNS:head.example, IP Address:10.0.0.7",
            "CA:FALSE",
            "TLS Web Server Authentication",
            "ASN1 OID: prime256v1");
    assertThat(said.replace(":", "").toLowerCase(java.util.Locale.ROOT))
        .contains(made(NOW).fingerprint());
    assertThat(
            run(
                openssl.toString(),
                "verify",
                "-attime",
                "" + NOW.getEpochSecond(),
                "-CAfile",
                folder.resolve("tls.crt").toString(),
                folder.resolve("tls.crt").toString()))
        .contains("OK");
    run(openssl.toString(), "pkey", "-in", folder.resolve("tls.key").toString(), "-check");
    run(
        Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
        "-printcert",
        "-file",
        folder.resolve("tls.crt").toString());
  }

  @Test
  void whatOthersMadeIsReadAndWhatDoesNotFitIsSaid() throws Exception {
    Path openssl = Tools.require("openssl", "openssl");
    Path certificate = folder.resolve("site.crt");
    Path key = folder.resolve("site.key");
    run(
        openssl.toString(),
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=site",
        "-addext",
        "subjectAltName=DNS:*.site.example",
        "-days",
        "3",
        "-keyout",
        key.toString(),
        "-out",
        certificate.toString());
    assertThat(ServerIdentity.read(certificate, key).names()).containsExactly("*.site.example");
    made(NOW);
    assertThatThrownBy(() -> ServerIdentity.read(certificate, folder.resolve("tls.key")))
        .hasMessageContaining("tls.key");
    assertThatThrownBy(() -> ServerIdentity.read(key, key)).hasMessageContaining("certificate");
    assertThatThrownBy(() -> ServerIdentity.read(certificate, certificate))
        .hasMessageContaining("openssl pkcs8");
    Path cut =
        Files.writeString(folder.resolve("cut.key"), Files.readString(key).substring(0, 300));
    assertThatThrownBy(() -> ServerIdentity.read(certificate, cut)).hasMessageContaining("cut.key");
    assertThatThrownBy(() -> ServerIdentity.read(folder.resolve("none"), key))
        .hasMessageContaining("none");
  }

  private static String run(String... words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
