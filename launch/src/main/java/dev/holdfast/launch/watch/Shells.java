package dev.holdfast.launch.watch;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The program a rank is really about: many ranks are a shell script that starts the training and
 * waits for it, and the stack of the shell says nothing.
 */
public final class Shells {
  private static final int MOST_DEPTH = 8;
  private static final Set<String> NAMES =
      Set.of("sh", "dash", "bash", "zsh", "ksh", "mksh", "busybox", "timeout", "time");

  private Shells() {}

  /** The only child of a shell, and of the shell that is, and so on; the process itself if none. */
  public static ProcEvidence.Rank through(ProcEvidence.Rank rank) {
    ProcEvidence.Rank at = rank;
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
      Path folder = Path.of("/proc/" + at.pid());
      Optional<ProcStat> stat = stat(folder);
      boolean same = stat.isPresent() && stat.get().started() == at.started();
      if (!same || !NAMES.contains(program(folder))) {
        return at;
      }
      String children = text(folder.resolve("task/" + at.pid() + "/children")).strip();
      Optional<ProcStat> child =
          children.matches("[0-9]{1,10}")
              ? stat(Path.of("/proc/" + children)).filter(it -> it.state() != 'Z')
              : Optional.empty();
      if (child.isEmpty()) {
        return at;
      }
      at =
          new ProcEvidence.Rank(
              rank.rank(), child.get().pid(), child.get().started(), rank.stackFile());
    }
    return at;
  }

  private static String program(Path folder) {
    String path = BoundedFile.link(folder.resolve("exe")).text().orElse("");
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Optional<ProcStat> stat(Path folder) {
    return ProcStat.parse(text(folder.resolve("stat")));
  }

  private static String text(Path file) {
    return BoundedFile.read(file, 1 << 16).text().orElse("");
  }
}
