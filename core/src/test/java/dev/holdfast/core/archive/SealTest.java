package dev.holdfast.core.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final ArchiveKind KIND = new ArchiveKind("evidence", 1);
  private static final Map<String, byte[]> CONTENT =
      Map.of("a.txt", bytes("GPU 3 is lost\n".repeat(20)), "b/c.json", bytes("{\"a\":1}"));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KeyPair keys() throws Exception {
    return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static byte[] sealed(Map<String, byte[]> content, KeyPair keys) {
    return Seal.write(KIND, Instant.EPOCH, "test", content, ArchiveLimits.DEFAULT, keys);
  }

  private static Seal.Sealed read(byte[] archive) {
    return Seal.read("x.zip", archive, KIND, ArchiveLimits.DEFAULT);
  }

  @Test
  void whatWasSealedIsReadWithTheKeyItWasSealedWith() throws Exception {
    KeyPair keys = keys();
    Seal.Sealed sealed = read(sealed(CONTENT, keys));
    assertThat(sealed.key()).isEqualTo(keys.getPublic());
    assertThat(sealed.archive().members().get("b/c.json")).isEqualTo(CONTENT.get("b/c.json"));
    assertThat(Seal.key(Seal.show(keys.getPublic()))).isEqualTo(keys.getPublic());
  }

  /** A byte of the zip's own bookkeeping, such as a time nobody reads, may change nothing. */
  @Test
  void noChangedByteChangesWhatIsReadUnnoticed() throws Exception {
    KeyPair keys = keys();
    byte[] archive = sealed(CONTENT, keys);
    Seal.Sealed original = read(archive);
    int found = 0;
    for (int i = 0; i < archive.length; i++) {
      byte[] changed = archive.clone();
      changed[i] ^= 0x11;
      try {
        Seal.Sealed other = read(changed);
        assertThat(other.archive().manifest()).isEqualTo(original.archive().manifest());
        assertThat(other.key()).isEqualTo(original.key());
        original
            .archive()
            .members()
            .forEach(
                (name, content) ->
                    assertThat(other.archive().members().get(name)).isEqualTo(content));
      } catch (HoldfastException noticed) {
        found++;
      }
    }
    assertThat(found).as("of %s", archive.length).isGreaterThan(archive.length * 7 / 10);
  }

  @Test
  void whatIsPackedAgainWithOtherContentDoesNotFitTheSignature() throws Exception {
    Archive archive = read(sealed(CONTENT, keys())).archive();
    Map<String, byte[]> changed = new LinkedHashMap<>(archive.members());
    changed.put("a.txt", bytes("all is well\n"));
    byte[] packed =
        ArchiveWriter.write(KIND, Instant.EPOCH, "test", changed, ArchiveLimits.DEFAULT);
    assertThatThrownBy(() -> read(packed))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("signature does not fit");
    byte[] later =
        ArchiveWriter.write(
            KIND, Instant.EPOCH.plusSeconds(1), "test", archive.members(), ArchiveLimits.DEFAULT);
    assertThatThrownBy(() -> read(later)).hasMessageContaining("signature does not fit");
    changed.remove(Seal.NAME);
    byte[] unsigned =
        ArchiveWriter.write(KIND, Instant.EPOCH, "test", changed, ArchiveLimits.DEFAULT);
    assertThatThrownBy(() -> read(unsigned)).hasMessageContaining("is not signed");
  }

  @Test
  void aSignatureThatIsGarbageIsTold() throws Exception {
    Map<String, byte[]> members = new LinkedHashMap<>(CONTENT);
    for (String garbage :
        new String[] {"", "{}", "{\"publicKey\":\"??\"}", "{\"publicKey\":\"AAAA\"}"}) {
      members.put(Seal.NAME, bytes(garbage));
      byte[] packed =
          ArchiveWriter.write(KIND, Instant.EPOCH, "test", members, ArchiveLimits.DEFAULT);
      assertThatThrownBy(() -> read(packed))
          .isInstanceOf(HoldfastException.class)
          .hasMessageContaining("cannot be read");
    }
  }
}
