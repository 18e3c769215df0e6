package dev.holdfast.cli.slurm;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts our files into Slurm's folder and takes them out again.
 *
 * <p>Everything is decided before anything is changed, so that what {@code --dry-run} tells is what
 * happens. A file that is there and is not ours stops all of it; one of ours that somebody changed
 * is theirs now and stays.
 */
public final class SlurmFolder {
  private static final int LIMIT = 1 << 20;

  private final Path folder;
  private final InstalledFiles before;

  public SlurmFolder(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
    this.before = InstalledFiles.read(this.folder);
  }

  /** What becomes of a file or folder. */
  public enum Fate {
    WRITTEN,
    SAME,
    KEPT,
    REMOVED,
    GONE
  }

  /** Such a fate of a path, with the reason where it is not plain. */
  public record Step(Fate fate, Path path, String why) {}

  public Path folder() {
    return folder;
  }

  /** Whether anything of ours is here. */
  public boolean installed() {
    return !before.sums().isEmpty();
  }

  /** What the settings say of this already, so that an update leaves it as it is. */
  public Optional<String> setting(String name) {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(name) + "='?([^'\\s]*)'?\\s*$", Pattern.MULTILINE)
            .matcher(
                BoundedFile.read(folder.resolve("holdfast/settings"), LIMIT).text().orElse(""));
    return installed() && line.find() ? Optional.of(line.group(1)) : Optional.empty();
  }

  /** Writes what is new or old, unless {@code dry}. */
  public List<Step> install(
      String program, boolean enforce, String accept, String configuration, boolean dry) {
    require(program, "--program");
    require(configuration, "--slurm-conf");
    require(folder.toString(), "--dir");
    List<SlurmParts> parts = SlurmParts.of(folder, program, enforce, accept, configuration);
    List<Path> foreign =
        parts.stream()
            .filter(part -> !before.sums().containsKey(part.path()))
            .map(part -> folder.resolve(part.path()))
            .filter(Files::exists)
            .toList();
    if (!foreign.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE,
          foreign.getFirst() + " is there already and is not ours; nothing was written");
    }
    List<Step> steps = new ArrayList<>();
    Map<String, String> sums = new TreeMap<>(before.sums());
    List<String> made = new ArrayList<>(before.made());
    for (SlurmParts part : parts) {
      Path file = folder.resolve(part.path());
      String wanted = InstalledFiles.sum(part.text());
      String now = sum(file);
      if (now.equals(wanted)) {
        steps.add(new Step(Fate.SAME, file, ""));
      } else if (changed(part.path(), now)) {
        steps.add(new Step(Fate.KEPT, file, "changed by hand"));
        continue;
      } else {
        made.addAll(missing(Path.of(part.path()).getParent(), made));
        steps.add(new Step(Fate.WRITTEN, file, ""));
        if (!dry) {
          write(file, part.text(), part.executable());
        }
      }
      sums.put(part.path(), wanted);
    }
    if (!dry) {
      write(folder.resolve(InstalledFiles.LIST), new InstalledFiles(sums, made).text(), false);
    }
    return steps;
  }

  /** Removes what we wrote and nobody changed, and the folders we made that are empty then. */
  public List<Step> uninstall(boolean dry) {
    List<Step> steps = new ArrayList<>();
    Map<String, String> left = new TreeMap<>();
    before
        .sums()
        .forEach(
            (path, _) -> {
              Path file = folder.resolve(path);
              String now = sum(file);
              if (now.isEmpty()) {
                steps.add(new Step(Fate.GONE, file, "it was removed by somebody else"));
              } else if (changed(path, now)) {
                left.put(path, before.sums().getOrDefault(path, ""));
                steps.add(new Step(Fate.KEPT, file, "changed by hand"));
              } else {
                steps.add(new Step(Fate.REMOVED, file, ""));
                if (!dry) {
                  remove(file);
                }
              }
            });
    Path list = folder.resolve(InstalledFiles.LIST);
    if (dry) {
      return steps;
    }
    if (left.isEmpty()) {
      remove(list);
    } else {
      write(list, new InstalledFiles(left, before.made()).text(), false);
    }
    for (String path : before.made().reversed()) {
      Path each = folder.resolve(path).normalize();
      if (empty(each)) {
        remove(each);
        steps.add(new Step(Fate.REMOVED, each, ""));
      }
    }
    return steps;
  }

  /** Ours, and not what we wrote. */
  private boolean changed(String path, String now) {
    return !now.isEmpty() && !now.equals(before.sums().get(path));
  }

  private List<String> missing(@Nullable Path relative, List<String> known) {
    List<String> missing = new ArrayList<>();
    if (!known.contains(".") && !Files.isDirectory(folder)) {
      missing.add(".");
    }
    if (relative == null) {
      return missing;
    }
    String name = relative.toString();
    if (!known.contains(name) && !Files.isDirectory(folder.resolve(relative))) {
      missing.add(name);
    }
    return missing;
  }

  /** Empty where there is no such file. */
  private static String sum(Path file) {
    Reading reading = BoundedFile.read(file, LIMIT);
    if (reading instanceof Reading.Absent) {
      return "";
    }
    return reading.text().map(InstalledFiles::sum).orElse("unreadable");
  }

  private static boolean empty(Path each) {
    try (Stream<Path> inside = Files.list(each)) {
      return inside.findAny().isEmpty();
    } catch (IOException gone) {
      return false;
    }
  }

  private static void write(Path file, String text, boolean executable) {
    try {
      Files.createDirectories(file.resolveSibling(""));
      AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
      Files.setPosixFilePermissions(
          file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    } catch (IOException refused) {
      throw failed(file, refused);
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException refused) {
      throw failed(path, refused);
    }
  }

  private static HoldfastException failed(Path path, IOException refused) {
    return new HoldfastException(
        ErrorCode.CANNOT_WRITE, path + ": " + refused.getMessage(), refused);
  }

  /** It is written into shell scripts, between quotes, and into lines of Slurm. */
  private static void require(String text, String option) {
    if (!text.matches("/[A-Za-z0-9_./+:@=-]*")) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          option + ": '" + text + "' must be an absolute path without blanks or quotes");
    }
  }
}
