package dev.holdfast.launch.report;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.SummedLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The form of a timeline on disk: a line for each moment, eight hexadecimal digits of CRC-32C, a
 * space, and the moment as JSON. So {@code cut -c10- timeline.log | jq} reads it, and a reader that
 * meets a line somebody garbled goes on with the next one.
 *
 * @param moments in the order written
 * @param garbled lines left out because their sum was wrong or they were no moments
 * @param goodBytes where the last whole line ends
 * @param cut whether the file was longer than what is read
 */
public record TimelineFile(List<Moment> moments, int garbled, long goodBytes, boolean cut) {
  /** A moment longer than this is not written. */
  public static final int MAX_LINE = 64 * 1024;

  /** A file longer than this is read up to here. */
  public static final long MAX_BYTES = 256L << 20;

  private static final int SUM = 8;

  public TimelineFile {
    moments = List.copyOf(moments);
  }

  /** The line of a moment, with its end. */
  static byte[] line(Moment moment) {
    return SummedLine.write(Json.line(moment.json()));
  }

  public static TimelineFile read(Path file) throws IOException {
    Lines lines = new Lines();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(256 * 1024);
      long end = Math.min(channel.size(), MAX_BYTES);
      while (lines.read < end && channel.read(buffer.clear()) > 0) {
        lines.take(buffer.array(), (int) Math.min(buffer.position(), end - lines.read));
      }
      return new TimelineFile(
          lines.moments,
          lines.garbled + (lines.length > 0 ? 1 : 0),
          lines.goodBytes,
          channel.size() > end);
    }
  }

  /** Cuts bytes into lines; a line that grows beyond the limit is dropped and counted. */
  private static final class Lines {
    private final byte[] line = new byte[MAX_LINE + SUM + 2];
    private final List<Moment> moments = new ArrayList<>();
    private int length;
    private boolean tooLong;
    private long read;
    private long goodBytes;
    private int garbled;

    void take(byte[] bytes, int count) {
      for (int i = 0; i < count; i++) {
        read++;
        if (bytes[i] == '\n') {
          end();
        } else if (length < line.length) {
          line[length++] = bytes[i];
        } else {
          tooLong = true;
        }
      }
    }

    private void end() {
      if (tooLong || !add()) {
        garbled++;
      }
      goodBytes = read;
      length = 0;
      tooLong = false;
    }

    private boolean add() {
      if (length <= SUM + 1
          || line[SUM] != ' '
          || !SummedLine.sum(line, SUM + 1, length - SUM - 1)
              .equals(new String(line, 0, SUM, StandardCharsets.US_ASCII))) {
        return false;
      }
      try {
        String text =
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(line, SUM + 1, length - SUM - 1))
                .toString();
        return moments.add(Moment.of(Json.object(text)));
      } catch (IllegalArgumentException | CharacterCodingException foreign) {
        return false;
      }
    }
  }
}
