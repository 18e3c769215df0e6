package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Starts a program as the leader of a session of its own, with the descriptors it is to have and no
 * other, all signals as they are by default.
 *
 * <p>Beside {@link ProcessBuilder} because of what comes after: Java collects its children itself
 * and gives 128 + n for signal n, which nobody can tell from a program that exited with 137. A
 * child started here is collected by {@link Reaper}, which knows.
 */
public final class Spawn {
  /** For a stream: {@code /dev/null}. */
  public static final int NOTHING = -1;

  static final int SET_SIGNALS = 0x04;
  static final int SET_MASK = 0x08;
  static final int SET_SESSION = 0x80;
  static final int OPAQUE_BYTES = 1024;
  private static final String CLOSE_FROM = "posix_spawn_file_actions_addclosefrom_np";

  private Spawn() {}

  /**
   * The process number. The program belongs to the calling thread: a parent-death signal comes when
   * that thread ends, and CPUs and memory policy are those of that thread.
   *
   * @param words the path of the program and its arguments
   * @param environment all of it, as {@code name=value}
   * @param input which descriptor of ours it gets, or {@link #NOTHING}
   * @param more further descriptors of ours that it gets, as 3, 4 and so on
   */
  public static long start(
      List<byte[]> words,
      List<byte[]> environment,
      int input,
      int output,
      int error,
      List<Integer> more)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment actions = arena.allocate(OPAQUE_BYTES, 16);
      MemorySegment attributes = arena.allocate(OPAQUE_BYTES, 16);
      require(call("posix_spawn_file_actions_init", actions, 0, 0, 0), words);
      require(call("posix_spawnattr_init", attributes, 0, 0, 0), words);
      try {
        stream(arena, actions, input, 0);
        stream(arena, actions, output, 1);
        stream(arena, actions, error, 2);
        for (int i = 0; i < more.size(); i++) {
          stream(arena, actions, above(more.get(i), 3 + more.size()), 3 + i);
        }
        keepTheRest(actions, 3 + more.size());
        attributes(arena, attributes);
        MemorySegment pid = arena.allocate(JAVA_INT);
        require(
            Libc.spawn(
                pid,
                Exec.string(arena, words.getFirst()),
                actions,
                attributes,
                Exec.strings(arena, words),
                Exec.strings(arena, environment)),
            words);
        return pid.get(JAVA_INT, 0);
      } finally {
        call("posix_spawnattr_destroy", attributes, 0, 0, 0);
        call("posix_spawn_file_actions_destroy", actions, 0, 0, 0);
      }
    }
  }

  private static void stream(Arena arena, MemorySegment actions, int from, int to) {
    if (from == NOTHING) {
      MemorySegment path = arena.allocateFrom("/dev/null");
      int readWrite = 2;
      call("posix_spawn_file_actions_addopen", actions, to, path.address(), readWrite);
    } else if (from != to) {
      call("posix_spawn_file_actions_adddup2", actions, from, to, 0);
    }
  }

  /**
   * The virtual machine itself has the low numbers; one of them would be overwritten on the way.
   */
  private static int above(int descriptor, int least) {
    if (descriptor < least) {
      throw new IllegalArgumentException("descriptor " + descriptor + " cannot be handed on");
    }
    return descriptor;
  }

  /** Nothing of ours beyond those is for the program. */
  private static void keepTheRest(MemorySegment actions, int first) {
    if (Libc.has(CLOSE_FROM)) {
      call(CLOSE_FROM, actions, first, 0, 0);
      return;
    }
    String[] names = new File("/proc/self/fd").list();
    for (String name : names == null ? new String[0] : names) {
      int descriptor = Integer.parseInt(name);
      if (descriptor > 2) {
        Libc.control(descriptor, Exec.F_SETFD, Exec.FD_CLOEXEC);
      }
    }
  }

  /** The virtual machine blocks and handles signals; the program starts as from a shell. */
  private static void attributes(Arena arena, MemorySegment attributes) {
    MemorySegment all = arena.allocate(128, 8).fill((byte) 0xff);
    MemorySegment none = arena.allocate(128, 8);
    call("posix_spawnattr_setsigdefault", attributes, all.address(), 0, 0);
    call("posix_spawnattr_setsigmask", attributes, none.address(), 0, 0);
    short flags = (short) (SET_SIGNALS | SET_MASK | SET_SESSION);
    call("posix_spawnattr_setflags", attributes, flags, 0, 0);
  }

  private static int call(
      String function, MemorySegment what, long second, long third, long fourth) {
    return Libc.spawn(function, what.address(), second, third, fourth);
  }

  private static void require(int result, List<byte[]> words) throws IOException {
    if (result < 0) {
      String program = new String(words.getFirst(), StandardCharsets.UTF_8);
      throw new IOException(program + ": " + Errno.name(-result));
    }
  }
}
