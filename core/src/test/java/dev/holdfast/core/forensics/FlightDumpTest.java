package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes that Python wrote with {@code pickle.dumps}. */
class FlightDumpTest {
  /** {@code pg_status} with one group: 1042 begun and started, 1041 ended; some pg_config. */
  private static final String ONE =
      "gAJ9cQAoWAcAAAB2ZXJzaW9ucQFYAwAAADIuOXECWAkAAABwZ19jb25maWdxA31xBFgBAAAAMHEFfXEGKFgE"
          + "AAAAbmFtZXEHaAVYBAAAAGRlc2NxCFgKAAAAZGVmYXVsdF9wZ3EJWAUAAAByYW5rc3EKWAYAAABbMCwgMV1x"
          + "C3VzWAkAAABwZ19zdGF0dXNxDH1xDWgFfXEOKFgYAAAAbGFzdF9lbnF1ZXVlZF9jb2xsZWN0aXZlcQ9NEgRY"
          + "FwAAAGxhc3Rfc3RhcnRlZF9jb2xsZWN0aXZlcRBNEgRYGQAAAGxhc3RfY29tcGxldGVkX2NvbGxlY3RpdmVx"
          + "EU0RBHVzWAcAAABlbnRyaWVzcRJdcRN9cRQoWAkAAAByZWNvcmRfaWRxFUsAWA0AAABwcm9jZXNzX2dyb3Vw"
          + "cRZoBWgJhnEXWAYAAABmcmFtZXNxGF1xGX1xGlgEAAAAbGluZXEbSnARAQBzYVgLAAAAZHVyYXRpb25fbXNx"
          + "HE51YXUu";

  private static final String VALUES_2 =
      "gAJdcQAoSwBLAUv/TQABTf//SgAAAQBK/////0qQ7v7/igYAAAAAAAGKBgAAAAAA/0c/+AAAAAAAAIiJTlgC"
          + "AAAAw7xxAV1xAihLAV1xA0sCYWVLAYVxBEsBSwKGcQVLAUsCSwOHcQYoSwFLAksDSwR0cQcpfXEIfXEJWAEA"
          + "AABhcQpOc2Uu";
  private static final String VALUES_4 =
      "gASVdAAAAAAAAABdlChLAEsBS/9NAAFN//9KAAABAEr/////SpDu/v+KBgAAAAAAAYoGAAAAAAD/Rz/4AAAA"
          + "AAAAiIlOjALDvJRdlChLAV2USwJhZUsBhZRLAUsChpRLAUsCSwOHlChLAUsCSwNLBHSUKX2UfZSMAWGUTnNl"
          + "Lg==";

  /** What unpickling would run {@code os.system("true")}. */
  private static final String PROGRAM = "gAJjcG9zaXgKc3lzdGVtCnEAWAQAAAB0cnVlcQGFcQJScQMu";

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }

  @Test
  void theLastNumbersOfTheOneGroupAreRead() {
    assertThat(FlightDump.of(bytes(ONE))).contains(new FlightDump(1042, 1042, 1041));
  }

  @Test
  void ofSeveralGroupsOnlyOneInUseCanBeCompared() {
    assertThat(FlightDump.of(dump(7, -1))).contains(new FlightDump(7, 7, 7));
    assertThat(FlightDump.of(dump(7, 9))).isEmpty();
    assertThat(FlightDump.of(dump(-1, -1))).isEmpty();
  }

  /** A pickle with two groups, put together by hand. */
  private static byte[] dump(int first, int second) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x80, 2, '}'});
    text(out, "pg_status");
    out.write('}');
    for (int number : new int[] {first, second}) {
      text(out, "group" + out.size());
      out.write('}');
      for (String what : List.of("enqueued", "started", "completed")) {
        text(out, "last_" + what + "_collective");
        out.write('J');
        for (int shift = 0; shift < 32; shift += 8) {
          out.write(number >> shift);
        }
        out.write('s');
      }
      out.write('s');
    }
    out.writeBytes(new byte[] {'s', '.'});
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.writeBytes(new byte[] {'X', (byte) text.length(), 0, 0, 0});
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void plainValuesOfOldAndNewPicklesAreRead() {
    List<?> expected =
        Arrays.asList(
            0L,
            1L,
            255L,
            256L,
            65_535L,
            65_536L,
            -1L,
            -70_000L,
            1L << 40,
            -(1L << 40),
            1.5,
            true,
            false,
            null,
            "ü",
            List.of(1L, List.of(2L)),
            List.of(1L),
            List.of(1L, 2L),
            List.of(1L, 2L, 3L),
            List.of(1L, 2L, 3L, 4L),
            List.of(),
            Map.of(),
            Collections.singletonMap("a", null));
    assertThat(PlainPickle.read(bytes(VALUES_2))).isEqualTo(expected);
    assertThat(PlainPickle.read(bytes(VALUES_4))).isEqualTo(expected);
  }

  @Test
  void aPickleThatWouldCallSomethingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlainPickle.read(bytes(PROGRAM)))
        .withMessage("pickle: not plain data, word 0x63 at byte 2");
    assertThat(FlightDump.of(bytes(PROGRAM))).isEmpty();
  }

  @Test
  void brokenPicklesAreRefusedWhereverTheyBreak() {
    byte[] whole = bytes(ONE);
    SplittableRandom random = new SplittableRandom(5);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] broken = Arrays.copyOf(whole, random.nextInt(whole.length));
      for (int flips = random.nextInt(4); flips > 0 && broken.length > 0; flips--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
      }
      read += FlightDump.of(broken).isPresent() ? 1 : 0;
    }
    assertThat(read).isLessThan(20);
  }
}
