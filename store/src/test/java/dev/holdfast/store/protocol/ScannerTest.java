package dev.holdfast.store.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScannerTest {
  private static final Limits LIMITS =
      new Limits(64, 1 << 16, 100, 1 << 18, 1 << 16, 1 << 20, 1 << 20, 10);

  /** A request as the scanner told of it. */
  private record Told(Operation operation, List<Byte> bytes) {
    static Told of(Operation operation, byte[] bytes, int start, int end) {
      List<Byte> list = new ArrayList<>();
      for (int i = start; i < end; i++) {
        list.add(bytes[i]);
      }
      return new Told(operation, list);
    }
  }

  @Test
  void howAStreamIsCutDoesNotMatter() {
    Random random = new Random(20261115);
    for (int round = 0; round < 300; round++) {
      List<Told> expected = new ArrayList<>();
      byte[] stream = conversation(random, expected);
      List<Told> seen = new ArrayList<>();
      Scanner scanner = new Scanner(LIMITS, Dialect.A);
      for (int at = 0; at < stream.length; ) {
        int next =
            Math.min(stream.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 4000));
        byte[] piece = Arrays.copyOfRange(stream, at, next);
        scanner.take(
            piece,
            0,
            piece.length,
            (operation, bytes, start, end) -> {
              seen.add(Told.of(operation, bytes, start, end));
              return Scanner.Next.GO_ON;
            });
        at = next;
      }
      assertThat(seen).as("round %d", round).isEqualTo(expected);
      assertThat(scanner.held()).as("nothing is kept of a finished stream").isZero();
    }
  }

  private static byte[] conversation(Random random, List<Told> expected) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] hello = {0, (byte) 0xce, (byte) 0xf7, (byte) 0x85, 0x3c};
    out.writeBytes(hello);
    expected.add(Told.of(Operation.VALIDATE, hello, 0, 5));
    for (int i = 0; i < 20; i++) {
      int code = 1 + random.nextInt(18);
      Operation operation = Objects.requireNonNull(Dialect.C.operation(code));
      byte[] request = request(code, operation, random);
      out.writeBytes(request);
      expected.add(Told.of(operation, request, 0, request.length));
    }
    return out.toByteArray();
  }

  private static byte[] request(int code, Operation operation, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(code);
    int fields = operation.shape().fields();
    if (operation.shape().counted()) {
      int count = random.nextInt(6);
      number(out, count);
      fields *= count;
    }
    for (int i = 0; i < fields; i++) {
      int most = random.nextInt(8) == 0 ? 60 : 6;
      byte[] field = new byte[random.nextInt(most)];
      random.nextBytes(field);
      number(out, field.length);
      out.writeBytes(field);
    }
    for (int i = 0; i < operation.shape().tail(); i++) {
      out.write(random.nextInt());
    }
    return out.toByteArray();
  }

  private static void number(ByteArrayOutputStream out, long value) {
    for (int i = 0; i < 8; i++) {
      out.write((int) (value >> 8 * i));
    }
  }

  @Test
  void noiseIsRefusedOrWaitedForAndNothingElse() {
    Random random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      if (noise.length > 0 && random.nextBoolean()) {
        noise[0] = (byte) random.nextInt(20);
      }
      Scanner scanner = new Scanner(LIMITS, random.nextBoolean() ? Dialect.A : Dialect.B);
      try {
        scanner.take(noise, 0, noise.length, (_, _, _, _) -> Scanner.Next.GO_ON);
        assertThat(scanner.held()).isLessThanOrEqualTo(64);
      } catch (Scanner.Refused refused) {
        assertThat(refused.why()).isNotEmpty();
      }
    }
  }

  @Test
  void aLongRequestInSmallPiecesIsLookedAtOnce() {
    // 100 keys in pieces of one byte: quadratic work would take minutes for 200,000 bytes.
    Limits wide = new Limits(4096, 1 << 16, 200, 1 << 20, 1 << 16, 1 << 20, 1 << 20, 10);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(5);
    number(out, 100);
    for (int i = 0; i < 100; i++) {
      number(out, 2000);
      out.writeBytes(new byte[2000]);
    }
    byte[] all = out.toByteArray();
    Scanner scanner = new Scanner(wide, Dialect.A);
    scanner.take(
        new byte[] {6},
        0,
        1,
        (_, _, _, _) -> Scanner.Next.GO_ON); // the first request has to be short
    int[] told = {0};
    for (int i = 0; i < all.length; i++) {
      scanner.take(
          all,
          i,
          i + 1,
          (_, _, start, end) -> {
            told[0] += end - start;
            return Scanner.Next.GO_ON;
          });
    }
    assertThat(told[0]).isEqualTo(all.length);
  }

  @Test
  void limitsAreTold() {
    Scanner scanner = new Scanner(LIMITS, Dialect.A);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(3);
    number(out, 65);
    assertThatThrownBy(
            () -> scanner.take(out.toByteArray(), 0, 9, (_, _, _, _) -> Scanner.Next.GO_ON))
        .isInstanceOf(Scanner.Refused.class)
        .hasMessage("a key of 65 bytes; the limit is 64");
  }
}
