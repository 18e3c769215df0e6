package dev.holdfast.store.server;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.process.MemoryRoom;
import dev.holdfast.store.protocol.Limits;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a store's limits this process has room for: keys take half of its memory at most, what is
 * unread or unfinished a quarter, connections the descriptors that are not needed for anything
 * else. The rest of the memory is for what is being done and for what garbage collection needs.
 */
final class OwnRoom {
  private static final Path ROOT = Path.of("/");
  private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +([0-9]+) ");
  private static final int LIMITS_BYTES = 16 << 10;

  /** For those who manage, the thread of each attempt, files and jars: an eighth, up to so many. */
  private static final int OTHER_FILES = 4096;

  private OwnRoom() {}

  static Limits limits(Limits wanted) {
    return wanted
        .within(memory() / 2)
        .withConnections((int) Math.min(wanted.connections(), connections()));
  }

  /** Bytes: what the heap, the control group and the machine allow, whichever is the least. */
  static long memory() {
    long heap = Runtime.getRuntime().maxMemory();
    long machine = MemoryRoom.now(ROOT).total();
    return machine == 0 ? heap : Math.min(heap, machine);
  }

  private static long connections() {
    String limits =
        BoundedFile.read(ROOT.resolve("proc/self/limits"), LIMITS_BYTES).text().orElse("");
    Matcher row = OPEN_FILES.matcher(limits);
    long files = row.find() ? Long.parseLong(row.group(1)) : Long.MAX_VALUE;
    return Math.max(1, files - Math.min(OTHER_FILES, files / 8));
  }
}
