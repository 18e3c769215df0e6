package dev.holdfast.doctor.compare;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * Which snapshots are meant: files, folders laid out as one, folders full of either, and patterns
 * the shell left as they are.
 */
final class Places {
  private static final int MOST = 100_000;

  private final Set<Path> found = new LinkedHashSet<>();

  private Places() {}

  /** The snapshots in order, each once; what does not exist stays, to be told as unreadable. */
  static List<Path> of(List<String> arguments) {
    Places places = new Places();
    for (String argument : arguments) {
      places.add(argument);
    }
    return List.copyOf(places.found);
  }

  private void add(String argument) {
    Path place = Path.of(argument);
    if (Files.isDirectory(place) && !isRecordedNode(place)) {
      List<Path> within = new ArrayList<>(entries(place, "*.zip"));
      entries(place, "*").stream().filter(Places::isRecordedNode).forEach(within::add);
      found.addAll(within.isEmpty() ? List.of(place) : within);
    } else if (!Files.exists(place) && argument.matches(".*[*?\\[{].*")) {
      Path parent = place.toAbsolutePath().getParent();
      List<Path> matches =
          parent == null ? List.of() : entries(parent, String.valueOf(place.getFileName()));
      found.addAll(matches.isEmpty() ? List.of(place) : matches);
    } else {
      found.add(place);
    }
  }

  private static boolean isRecordedNode(Path folder) {
    return Files.isRegularFile(folder.resolve("about"))
        || Files.isRegularFile(folder.resolve("base"));
  }

  private static List<Path> entries(Path folder, String pattern) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, pattern)) {
      for (Path entry : stream) {
        if (entries.size() < MOST) {
          entries.add(entry);
        }
      }
    } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
      return List.of();
    }
    entries.sort(null);
    return entries;
  }
}
