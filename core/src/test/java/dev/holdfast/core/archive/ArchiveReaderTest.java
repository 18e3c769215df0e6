package dev.holdfast.core.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.core.archive.HandMadeZip.Entry;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveReaderTest {
  static final ArchiveKind KIND = new ArchiveKind("snapshot", 2);
  static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

  static byte[] small() {
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put("root/proc/meminfo", "MemTotal: 1 kB\n".getBytes(UTF_8));
    members.put("about", "node=n1\n".getBytes(UTF_8));
    members.put("empty", new byte[0]);
    members.put("root/sys/größe", "ü\n".repeat(500).getBytes(UTF_8));
    return ArchiveWriter.write(KIND, TIME, "holdfast 1", members, ArchiveLimits.DEFAULT);
  }

  private static Archive read(byte[] bytes) {
    return ArchiveReader.read("x.zip", bytes, KIND, ArchiveLimits.DEFAULT);
  }

  private static void refused(byte[] bytes, ErrorCode code, String words) {
    HoldfastException refusal = catchThrowableOfType(HoldfastException.class, () -> read(bytes));
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.detail()).startsWith("x.zip").contains(words);
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    byte[] bytes = small();
    Archive archive =
        ArchiveReader.read("x", new ByteArrayInputStream(bytes), KIND, ArchiveLimits.DEFAULT);
    assertThat(archive.manifest().kind()).isEqualTo(KIND);
    assertThat(archive.manifest().createdAt()).isEqualTo(TIME);
    assertThat(archive.manifest().tool()).isEqualTo("holdfast 1");
    assertThat(archive.members().sequencedKeySet())
        .containsExactly("about", "empty", "root/proc/meminfo", "root/sys/größe");
    assertThat(archive.members().get("about")).asString(UTF_8).isEqualTo("node=n1\n");
    assertThat(archive.members().get("empty")).isEmpty();
  }

  @Test
  void sameContentGivesTheSameBytesAndAnyZipToolOpensThem() throws IOException {
    assertThat(small()).isEqualTo(small());
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(small()), UTF_8)) {
      ZipEntry first = zip.getNextEntry();
      assertThat(first).isNotNull();
      assertThat(first.getName()).isEqualTo("manifest.json");
      assertThat(new String(zip.readAllBytes(), UTF_8))
          .contains("\"holdfast.archive/1\"", "\"kind\"", "\"sha256\"");
    }
  }

  @Test
  void olderVersionsAreReadAndNewerOnesAndOtherKindsAreForeign() {
    byte[] bytes = small();
    assertThat(
            ArchiveReader.read("x", bytes, new ArchiveKind("snapshot", 9), ArchiveLimits.DEFAULT)
                .members())
        .hasSize(4);
    for (ArchiveKind other :
        new ArchiveKind[] {new ArchiveKind("snapshot", 1), new ArchiveKind("run-bundle", 9)}) {
      HoldfastException refusal =
          catchThrowableOfType(
              HoldfastException.class,
              () -> ArchiveReader.read("x", bytes, other, ArchiveLimits.DEFAULT));
      assertThat(refusal.code()).isEqualTo(ErrorCode.FOREIGN_ARCHIVE);
      assertThat(refusal.detail()).contains("kind snapshot/2", "expected " + other);
    }
    refused(
        new HandMadeZip()
            .add(Entry.of("manifest.json", "{\"schema\":\"holdfast.archive/2\"}"))
            .bytes(),
        ErrorCode.FOREIGN_ARCHIVE,
        "'holdfast.archive/2', expected holdfast.archive/1");
  }

  @Test
  void whatIsNoArchiveIsSaidToBeNone() {
    refused(new byte[0], ErrorCode.NOT_AN_ARCHIVE, "is empty");
    refused("{}".getBytes(UTF_8), ErrorCode.NOT_AN_ARCHIVE, "is not a zip file");
    refused(new byte[100_000], ErrorCode.NOT_AN_ARCHIVE, "is not a zip file");
    refused(
        new HandMadeZip().add(Entry.of("word/document.xml", "<x/>")).bytes(),
        ErrorCode.NOT_AN_ARCHIVE,
        "without manifest.json");
    refused(
        new HandMadeZip().add(Entry.of("manifest.json", "{\"schema\":\"other\"}")).bytes(),
        ErrorCode.NOT_AN_ARCHIVE,
        "'other', expected holdfast.archive/1");
  }

  @Test
  void truncatedAnywhereIsDamagedOrNoArchive() {
    byte[] bytes = small();
    for (int length = 1; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      HoldfastException refusal = catchThrowableOfType(HoldfastException.class, () -> read(cut));
      assertThat(refusal).as("cut to %d bytes", length).isNotNull();
      assertThat(refusal.code()).isIn(ErrorCode.DAMAGED_ARCHIVE, ErrorCode.NOT_AN_ARCHIVE);
    }
    refused(Arrays.copyOf(bytes, 200), ErrorCode.DAMAGED_ARCHIVE, "truncated");
  }

  @Test
  void changedMembersAreNamed() {
    Entry honest = Entry.of("about", "node=n1\n");
    byte[] changed =
        new HandMadeZip().add(manifestFor(honest)).add(Entry.of("about", "node=n2\n")).bytes();
    refused(changed, ErrorCode.DAMAGED_ARCHIVE, "'about' was changed");
    byte[] longer =
        new HandMadeZip().add(manifestFor(honest)).add(Entry.of("about", "node=n11\n")).bytes();
    refused(longer, ErrorCode.DAMAGED_ARCHIVE, "'about' has 9 bytes, expected 8");
    refused(
        new HandMadeZip().add(manifestFor(honest)).bytes(),
        ErrorCode.DAMAGED_ARCHIVE,
        "'about' of the manifest is missing");
    refused(
        HandMadeZip.described(honest).add(Entry.of("more", "x")).bytes(),
        ErrorCode.DAMAGED_ARCHIVE,
        "'more' is not in the manifest");
  }

  private static Entry manifestFor(Entry... members) {
    return Entry.of(
        "manifest.json",
        new Manifest(
                KIND,
                TIME,
                "test",
                Arrays.stream(members).map(m -> Member.of(m.name(), m.content())).toList())
            .toJson());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../evil",
        "a/../../evil",
        "/etc/passwd",
        "a//b",
        "a/./b",
        "C:/evil",
        "a\\b",
        "a\nb",
        "a\u0000b",
        "a\u202eb"
      })
  void namesThatLeaveTheFolderAreHostile(String name) {
    byte[] zip = new HandMadeZip().add(manifestFor()).add(Entry.of(name, "x")).bytes();
    refused(zip, ErrorCode.HOSTILE_ARCHIVE, "has a name that ");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ArchiveWriter.write(
                    KIND, TIME, "t", Map.of(name, new byte[0]), ArchiveLimits.DEFAULT));
  }

  @Test
  void namesHaveALength() {
    Entry exact = Entry.of("a".repeat(512), "x");
    assertThat(read(HandMadeZip.described(exact).bytes()).members()).hasSize(1);
    refused(
        new HandMadeZip().add(manifestFor()).add(Entry.of("a".repeat(513), "x")).bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "longer than 512");
  }

  @Test
  void linksDevicesAndDirectoriesAreHostile() {
    for (int mode : new int[] {0120777, 0020666, 0040755, 0010644}) {
      refused(
          HandMadeZip.described(Entry.of("about", "/etc/passwd").mode(mode)).bytes(),
          ErrorCode.HOSTILE_ARCHIVE,
          "'about' is not a regular file");
    }
    refused(
        new HandMadeZip().add(manifestFor()).add(Entry.of("root/", "")).bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "'root/' is not a regular file");
    Entry plain = Entry.of("about", "x").mode(0100644);
    assertThat(read(HandMadeZip.described(plain).bytes()).members()).hasSize(1);
  }

  @Test
  void duplicatesAndOverlapsAreHostile() {
    Entry entry = Entry.of("about", "x");
    refused(
        HandMadeZip.described(entry, entry).bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "'about' is there twice");
    refused(
        HandMadeZip.described(Entry.of("a", "x".repeat(100)), Entry.of("b", "x".repeat(100)))
            .overlapping()
            .bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "'b' overlaps another");
  }

  @Test
  void bombsAreRefusedBeforeTheyAreUnpacked() {
    refused(
        HandMadeZip.described(Entry.of("big", "x").claiming(0xFFFFFFFFL)).bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "'big' claims 4294967295 bytes, more than 16777216");
    HandMadeZip many = new HandMadeZip().add(manifestFor());
    for (int i = 0; i < 17; i++) {
      many.add(Entry.of("m" + i, "x").claiming(16 << 20));
    }
    refused(many.bytes(), ErrorCode.HOSTILE_ARCHIVE, "claim 2852");
    byte[] zeros = new byte[9 << 20];
    refused(
        HandMadeZip.described(Entry.of("a", zeros), Entry.of("b", zeros)).bytes(),
        ErrorCode.HOSTILE_ARCHIVE,
        "more than 200 times its size");
  }

  @Test
  void anEntryThatUnpacksToMoreOrLessThanItClaimsIsDamaged() {
    byte[] zeros = new byte[1 << 20];
    for (int claimed : new int[] {10, (1 << 20) + 1}) {
      byte[] zip =
          new HandMadeZip()
              .add(manifestFor(Entry.of("a", new byte[claimed])))
              .add(Entry.of("a", zeros).claiming(claimed))
              .bytes();
      refused(zip, ErrorCode.DAMAGED_ARCHIVE, "'a' does not unpack to its " + claimed + " bytes");
    }
  }

  @Test
  void anArchiveWithinAnArchiveStaysBytes() {
    byte[] inner = HandMadeZip.described(Entry.of("zeros", new byte[15 << 20])).bytes();
    byte[] outer = HandMadeZip.described(Entry.of("inner.zip", inner)).bytes();
    assertThat(read(outer).members().get("inner.zip")).isEqualTo(inner);
  }

  @Test
  void repetitiveContentIsWrittenSoThatItCanBeRead() {
    Map<String, byte[]> zeros = Map.of("a", new byte[12 << 20], "b", new byte[12 << 20]);
    byte[] bytes = ArchiveWriter.write(KIND, TIME, "t", zeros, ArchiveLimits.DEFAULT);
    assertThat(read(bytes).members()).hasSize(2);
  }

  @Test
  void theWriterKeepsTheLimitsToo() {
    ArchiveLimits tight = new ArchiveLimits(3, 4096, 8192, 200);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArchiveWriter.write(KIND, TIME, "t", Map.of("a", new byte[4097]), tight))
        .withMessageContaining("member is too large");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ArchiveWriter.write(
                    KIND,
                    TIME,
                    "t",
                    Map.of("a", new byte[1], "b", new byte[1], "c", new byte[1]),
                    tight))
        .withMessageContaining("too many members");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ArchiveWriter.write(
                    KIND, TIME, "t", Map.of("a", new byte[4096], "b", new byte[4096]), tight))
        .withMessageContaining("content is too large");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ArchiveWriter.write(KIND, TIME, "t", Map.of("manifest.json", new byte[1]), tight));
  }

  @Test
  void tooManyMembersAndTooLongStreamsAreHostile() {
    HandMadeZip many = new HandMadeZip().add(manifestFor());
    for (int i = 0; i < 50_000; i++) {
      many.add(Entry.of("m" + i, ""));
    }
    refused(many.bytes(), ErrorCode.HOSTILE_ARCHIVE, "50001 members, more than 50000");
    HoldfastException refusal =
        catchThrowableOfType(
            HoldfastException.class,
            () ->
                ArchiveReader.read(
                    "x",
                    new ByteArrayInputStream(new byte[5000]),
                    KIND,
                    new ArchiveLimits(9, 1024, 4096, 9)));
    assertThat(refusal.code()).isEqualTo(ErrorCode.HOSTILE_ARCHIVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1]",
        "{\"schema\":\"holdfast.archive/1\"}",
        "{\"schema\":\"holdfast.archive/1\",\"kind\":\"Snap shot\",\"version\":1,"
            + "\"createdAt\":\"2026-01-01T00:00:00Z\",\"tool\":\"t\",\"members\":[]}",
        "{\"schema\":\"holdfast.archive/1\",\"kind\":\"snapshot\",\"version\":1,"
            + "\"createdAt\":\"yesterday\",\"tool\":\"t\",\"members\":[]}",
        "{\"schema\":\"holdfast.archive/1\",\"kind\":\"snapshot\",\"version\":1,"
            + "\"createdAt\":\"2026-01-01T00:00:00Z\",\"tool\":\"t\",\"members\":[7]}",
        "{\"schema\":\"holdfast.archive/1\",\"kind\":\"snapshot\",\"version\":1,"
            + "\"createdAt\":\"2026-01-01T00:00:00Z\",\"tool\":\"t\",\"members\":"
            + "[{\"name\":\"../x\",\"bytes\":1,\"sha256\":\"00\"}]}"
      })
  void aBrokenManifestIsDamage(String json) {
    refused(
        new HandMadeZip().add(Entry.of("manifest.json", json)).bytes(),
        ErrorCode.DAMAGED_ARCHIVE,
        "has a wrong manifest.json: ");
  }
}
