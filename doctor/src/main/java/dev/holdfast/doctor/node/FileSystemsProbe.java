package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.libc.FileSystemSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The room on every mounted file system, without being caught by one whose server is gone.
 *
 * <p>Each network file system is asked on a daemon thread of its own, the local ones together on
 * one; all share one deadline. A thread that does not come back is left behind, and its mount is
 * told as {@code hung}.
 */
final class FileSystemsProbe {
  private static final int MAX_MOUNTINFO = 1 << 20;
  private static final int MAX_MOUNTS = 256;

  private FileSystemsProbe() {}

  static Reading read(Duration deadline) {
    Reading table = BoundedFile.read(Path.of(Mount.PATH), MAX_MOUNTINFO);
    return table.text().isEmpty()
        ? table
        : new Reading.Text(rows(distinct(Mount.parse(table.text().get())), deadline));
  }

  /** Of several mounts of the same file system the one with the shortest name. */
  static List<Mount> distinct(List<Mount> mounts) {
    Map<String, Mount> kept = new HashMap<>();
    for (Mount mount : mounts) {
      if (mount.local() || mount.network() || mount.memory()) {
        kept.merge(
            mount.device() + mount.type(),
            mount,
            (one, other) -> other.point().length() < one.point().length() ? other : one);
      }
    }
    return kept.values().stream()
        .sorted(java.util.Comparator.comparing(Mount::point))
        .limit(MAX_MOUNTS)
        .toList();
  }

  private record Question(Mount mount, CompletableFuture<String> answer) {}

  private static String rows(List<Mount> mounts, Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    List<Question> questions =
        mounts.stream().map(mount -> new Question(mount, new CompletableFuture<>())).toList();
    questions.stream()
        .filter(question -> question.mount.network())
        .forEach(question -> ask(List.of(question)));
    ask(questions.stream().filter(question -> !question.mount.network()).toList());
    StringBuilder rows = new StringBuilder();
    for (Question question : questions) {
      rows.append(clean(question.mount.point())).append('\t');
      rows.append(clean(question.mount.source())).append('\t');
      rows.append(question.mount.type()).append('\t');
      rows.append(await(question.answer, end)).append('\n');
    }
    return rows.toString();
  }

  private static void ask(List<Question> questions) {
    Thread.ofPlatform()
        .daemon()
        .name("statvfs")
        .start(() -> questions.forEach(asked -> asked.answer.complete(space(asked.mount))));
  }

  private static String space(Mount mount) {
    try {
      FileSystemSpace space = FileSystemSpace.of(mount.point());
      return "ok\t%d\t%d\t%d\t%d"
          .formatted(space.size(), space.available(), space.files(), space.freeFiles());
    } catch (IOException | RuntimeException | LinkageError e) {
      return "error: " + clean(String.valueOf(e.getMessage())) + "\t0\t0\t0\t0";
    }
  }

  private static String await(CompletableFuture<String> answer, long end) {
    try {
      return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return "hung\t0\t0\t0\t0";
    } catch (ExecutionException e) {
      return "error: " + clean(String.valueOf(e.getCause())) + "\t0\t0\t0\t0";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "error: interrupted\t0\t0\t0\t0";
    }
  }

  private static String clean(String text) {
    return text.replace('\t', ' ').replace('\n', ' ');
  }
}
