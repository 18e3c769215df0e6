package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.ChildOutput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Empties one stream of a rank, for as long as anyone may write to it, with a thread of its own:
 * bytes to the file, lines to the console, neither of which can hold the rank up.
 *
 * <p>After the rank's end it is asked to tell when the pipe is empty: everything the rank wrote
 * before it died is then in the file, also when a process it left behind holds the pipe open.
 */
final class StreamPump {
  private static final int CHUNK = 1 << 16;
  private static final int STACK = 1 << 18;
  private static final int WHILE_HIDING_MILLIS = 1000;

  private final ChildOutput pipe;
  private final Optional<LogWriter> log;
  private final Optional<RankConsole> console;
  private final LineCutter cutter;
  private final boolean error;
  private final AtomicLong bytes = new AtomicLong();
  private volatile Runnable drained = () -> {};
  private volatile boolean asked;
  private volatile boolean empty;
  private boolean seenEmpty;
  private volatile boolean abandoned;

  StreamPump(
      ChildOutput pipe, boolean error, Optional<LogWriter> log, Optional<RankConsole> console) {
    this.pipe = pipe;
    this.error = error;
    this.log = log;
    this.console = console;
    this.cutter =
        new LineCutter(
            (line, length) ->
                console.ifPresent(it -> it.line(error, line, length, System.nanoTime())));
  }

  void start(String name) {
    Thread.ofPlatform().name(name).stackSize(STACK).daemon().start(this::pump);
  }

  long bytes() {
    return bytes.get();
  }

  /** Has {@code then} run once the pipe has been seen empty from now on. */
  void drain(Runnable then) {
    drained = then;
    asked = true;
    pipe.wake();
  }

  boolean empty() {
    return empty;
  }

  /** Reads no more, whoever may still hold the pipe. */
  void abandon() {
    abandoned = true;
    pipe.wake();
  }

  private void pump() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment spare = arena.allocate(CHUNK, 8);
      int count = 0;
      while (count >= 0 && !abandoned) {
        // Looked at before the read: what is read as empty afterwards was empty after the question.
        boolean tell = asked;
        count = readOn(spare);
        if (count == 0) {
          if (tell) {
            tell();
          }
          pipe.await(console.isPresent() && console.get().hides() ? WHILE_HIDING_MILLIS : -1);
          console.ifPresent(it -> it.tellHidden(error, System.nanoTime(), false));
        }
      }
    } finally {
      cutter.end();
      console.ifPresent(it -> it.tellHidden(error, System.nanoTime(), true));
      pipe.close();
      tell();
      log.ifPresent(LogWriter::end);
    }
  }

  /** Whatever goes wrong here (no memory, a defect), the rank must not meet a closed pipe. */
  private int readOn(MemorySegment spare) {
    try {
      return read(spare);
    } catch (RuntimeException | Error problem) {
      return Math.max(0, pipe.read(spare));
    }
  }

  /** Reads once and hands on what came; as {@link ChildOutput#read}. */
  private int read(MemorySegment spare) {
    Optional<ByteBuffer> buffer = log.flatMap(LogWriter::buffer);
    int count = pipe.read(buffer.map(MemorySegment::ofBuffer).orElse(spare));
    if (count > 0) {
      bytes.addAndGet(count);
      ByteBuffer chunk = buffer.orElseGet(spare::asByteBuffer).limit(count);
      if (console.isPresent()) {
        cutter.add(chunk.duplicate(), System.nanoTime());
      }
      if (buffer.isPresent()) {
        log.ifPresent(it -> it.write(chunk));
      } else {
        log.ifPresent(it -> it.lose(chunk.remaining()));
      }
    } else {
      buffer.ifPresent(unused -> log.ifPresent(it -> it.giveBack(unused)));
    }
    return count;
  }

  /** Once: the pipe was empty; and when that is written too, whoever asked is told. */
  private void tell() {
    if (!seenEmpty) {
      seenEmpty = true;
      Runnable told =
          () -> {
            empty = true;
            drained.run();
          };
      if (log.isPresent()) {
        log.get().afterwards(told);
      } else {
        told.run();
      }
    }
  }
}
