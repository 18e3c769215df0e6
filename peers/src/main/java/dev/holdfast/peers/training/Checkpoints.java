package dev.holdfast.peers.training;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The newest states of a network in a folder; one that has its name is whole. */
record Checkpoints(Path folder) {
  private static final Pattern NAME = Pattern.compile("step-(\\d{8})\\.pt");
  private static final int KEPT = 2;

  /** The step of the newest, 0 where there is none. */
  long newest() throws IOException {
    List<Long> steps = steps();
    return steps.isEmpty() ? 0 : steps.getLast();
  }

  void save(long step, Network network) throws IOException {
    Files.createDirectories(folder);
    Path beside = folder.resolve("new." + ProcessHandle.current().pid());
    network.save(beside);
    try (FileChannel written = FileChannel.open(beside, StandardOpenOption.WRITE)) {
      written.force(true);
    }
    Files.move(beside, path(step), StandardCopyOption.ATOMIC_MOVE);
    List<Long> steps = steps();
    for (long old : steps.subList(0, Math.max(0, steps.size() - KEPT))) {
      Files.deleteIfExists(path(old));
    }
  }

  void load(long step, Network network) {
    network.load(path(step));
  }

  private Path path(long step) {
    return folder.resolve("step-%08d.pt".formatted(step));
  }

  private List<Long> steps() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> NAME.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(name -> Long.parseLong(name.group(1)))
          .sorted()
          .toList();
    }
  }
}
