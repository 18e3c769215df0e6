package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Replaces this process by another program, which keeps the number, the parent, the open standard
 * streams, and the affinity and memory policy of the calling thread. Nothing of ours stays between
 * a launcher and its rank.
 */
public final class Exec {
  static final int F_SETFD = 2;
  static final int FD_CLOEXEC = 1;
  static final int SIG_UNBLOCK = 1;
  static final int SIGQUIT = 3;

  private Exec() {}

  /**
   * Returns only by throwing. Standard streams must have been flushed.
   *
   * @param program for messages
   * @param words the program and its arguments, as the kernel is to get them
   * @param variables set on top of the environment of this process, which is handed on byte for
   *     byte
   */
  public static void replace(String program, List<byte[]> words, Map<String, String> variables)
      throws IOException {
    closeOurFiles();
    try (Arena arena = Arena.ofConfined()) {
      unblockQuit(arena);
      variables.forEach(
          (name, value) ->
              Libc.setEnvironment(arena.allocateFrom(name), arena.allocateFrom(value)));
      int result = Libc.execute(string(arena, words.getFirst()), strings(arena, words));
      throw new IOException(program + ": " + Errno.name(-result));
    }
  }

  /** The files of the virtual machine itself: the program that follows has no use for them. */
  private static void closeOurFiles() {
    List<String> ours = new ArrayList<>(List.of(System.getProperty("java.home", "/no/java")));
    for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
      Path folder = Path.of(entry).toAbsolutePath().normalize().getParent();
      if (!entry.isEmpty() && folder != null) {
        ours.add(folder + "/");
      }
    }
    String[] names = new File("/proc/self/fd").list();
    for (String name : names == null ? new String[0] : names) {
      int descriptor = Integer.parseInt(name);
      if (descriptor > 2 && ours.stream().anyMatch(target(descriptor)::startsWith)) {
        Libc.control(descriptor, F_SETFD, FD_CLOEXEC);
      }
    }
  }

  private static String target(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException gone) {
      return "";
    }
  }

  /** The virtual machine keeps SIGQUIT from its threads; what follows must be able to get it. */
  private static void unblockQuit(Arena arena) {
    MemorySegment set = arena.allocate(128, 8);
    set.set(JAVA_LONG, 0, 1L << (SIGQUIT - 1));
    Libc.signalMask(SIG_UNBLOCK, set, MemorySegment.NULL);
  }

  static MemorySegment string(Arena arena, byte[] word) {
    return arena.allocateFrom(JAVA_BYTE, Arrays.copyOf(word, word.length + 1));
  }

  static MemorySegment strings(Arena arena, List<byte[]> words) {
    MemorySegment array = arena.allocate(ADDRESS, words.size() + 1L);
    for (int i = 0; i < words.size(); i++) {
      array.setAtIndex(ADDRESS, i, string(arena, words.get(i)));
    }
    array.setAtIndex(ADDRESS, words.size(), MemorySegment.NULL);
    return array;
  }
}
