package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.ChildOutput;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Empties one stream of a rank, for as long as anyone may write to it, with a thread of its own:
 * bytes to the file, lines to the console, neither of which can make the rank wait.
 *
 * <p>After the rank's end it is asked to tell when the pipe is empty: everything the rank wrote
 * before it died is then in the file, also when a process it left behind holds the pipe open.
 */
final class StreamPump {
  private static final int CHUNK = 1 << 16;
  private static final int STACK = 1 << 18;
  private static final int WHILE_HIDING_MILLIS = 1000;

  private final ChildOutput pipe;
  private final Optional<LogFile> file;
  private final Optional<RankConsole> console;
  private final LineCutter cutter;
  private final boolean error;
  private final AtomicLong bytes = new AtomicLong();
  private volatile Runnable drained = () -> {};
  private volatile boolean asked;
  private volatile boolean empty;
  private volatile boolean abandoned;

  StreamPump(
      ChildOutput pipe, boolean error, Optional<LogFile> file, Optional<RankConsole> console) {
    this.pipe = pipe;
    this.error = error;
    this.file = file;
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
      MemorySegment buffer = arena.allocate(CHUNK, 8);
      int count = 0;
      while (count >= 0 && !abandoned) {
        // Looked at before the read: what is read as empty afterwards was empty after the question.
        boolean tell = asked;
        count = pipe.read(buffer);
        if (count > 0) {
          take(buffer.asSlice(0, count).asByteBuffer());
        } else if (count == 0) {
          tell(tell);
          pipe.await(console.isPresent() && console.get().hides() ? WHILE_HIDING_MILLIS : -1);
          console.ifPresent(it -> it.tellHidden(error, System.nanoTime(), false));
        }
      }
    } finally {
      cutter.end();
      console.ifPresent(it -> it.tellHidden(error, System.nanoTime(), true));
      file.ifPresent(LogFile::close);
      pipe.close();
      asked = true;
      tell(true);
    }
  }

  private void take(ByteBuffer chunk) {
    long now = System.nanoTime();
    bytes.addAndGet(chunk.remaining());
    file.ifPresent(it -> it.write(chunk.duplicate(), now));
    if (console.isPresent()) {
      cutter.add(chunk, now);
    }
  }

  private void tell(boolean wasAsked) {
    if (wasAsked && !empty) {
      empty = true;
      drained.run();
    }
  }
}
