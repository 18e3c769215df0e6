package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.place.Places;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The executables a site put into {@code checks.d}: which there are, and what each prints.
 *
 * <p>They run with our rights, so one that others may change is refused: the file and its folder
 * must not be writable by everyone, and must belong to root or to whoever runs us.
 */
record SiteProbe(Places places, Duration deadline) {
  static final int MAX_OUTPUT = 64 << 10;
  private static final int MAX_MESSAGES = 4096;
  private static final int MAX_CHECKS = 100;
  private static final Pattern NOT_CHECKS =
      Pattern.compile("\\..*|.*~|.*\\.(bak|orig|rpmsave|rpmnew|dpkg-\\w+|md|txt)|README.*");

  /** The folders, the system's first. */
  List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    folders.add(Path.of("/etc/holdfast/checks.d"));
    folders.add(Path.of(places.home(), ".config/holdfast/checks.d"));
    String chosen = places.environment().getOrDefault("HOLDFAST_CHECKS_DIR", "");
    if (!chosen.isEmpty()) {
      folders.add(Path.of(chosen));
    }
    return folders;
  }

  /** A line per check: name TAB path. */
  Reading list() {
    StringBuilder lines = new StringBuilder();
    found().forEach((name, file) -> lines.append(name).append('\t').append(file).append('\n'));
    return lines.isEmpty()
        ? new Reading.Absent("the site has no checks of its own (checks.d)")
        : new Reading.Text(lines.toString());
  }

  private Map<String, Path> found() {
    Map<String, Path> found = new LinkedHashMap<>();
    for (Path folder : folders().stream().distinct().toList()) {
      for (String file : BoundedFile.list(folder, 10_000).names()) {
        Path path = folder.resolve(file);
        boolean candidate =
            !NOT_CHECKS.matcher(file).matches()
                && file.chars().noneMatch(Character::isISOControl)
                && !Files.isDirectory(path);
        if (candidate && found.size() < MAX_CHECKS) {
          String name = name(file);
          String unique = name;
          for (int i = 2; found.containsKey(unique); i++) {
            unique = name + i;
          }
          found.put(unique, path);
        }
      }
    }
    return found;
  }

  /** {@code scratch.space} of {@code 10-Scratch_space.sh}: words of letters and digits. */
  static String name(String file) {
    int dot = file.lastIndexOf('.');
    String stem = (dot > 0 ? file.substring(0, dot) : file).toLowerCase(Locale.ROOT);
    StringBuilder name = new StringBuilder();
    for (String word : stem.split("[^a-z0-9]+")) {
      boolean letter = !word.isEmpty() && word.charAt(0) >= 'a';
      if (letter && !name.isEmpty()) {
        name.append('.');
      }
      if (letter || !name.isEmpty()) {
        name.append(word);
      }
    }
    String whole = name.isEmpty() ? "unnamed" : name.toString();
    return whole.length() <= 50 ? whole : whole.substring(0, 50).replaceFirst("\\.$", "");
  }

  /** What the check printed, or why it was not run or not believed. */
  Reading run(String name, String node) {
    Path file = found().get(name);
    if (file == null) {
      return new Reading.Absent("no site check is called " + name);
    }
    try {
      String objection = objection(file);
      if (!objection.isEmpty()) {
        return new Reading.Denied(file + " " + objection + ": not run");
      }
    } catch (IOException e) {
      return new Reading.Broken(file + ": " + e.getMessage());
    }
    if (!Files.isExecutable(file)) {
      return new Reading.Broken(file + " is not executable (chmod +x)");
    }
    CommandResult result =
        Command.of(file.toAbsolutePath().toString())
            .within(deadline)
            .limit(MAX_OUTPUT + 1, MAX_MESSAGES)
            .with("HOLDFAST_NODE", node)
            .with("HOLDFAST_CHECK", "site." + name)
            .with("HOLDFAST_DEADLINE_SECONDS", Double.toString(deadline.toMillis() / 1000.0))
            .run();
    return judged(file, result);
  }

  private static Reading judged(Path file, CommandResult result) {
    String output = result.output();
    if (!result.succeeded()) {
      String said = result.error().strip();
      return new Reading.Broken(
          result.why() + (said.isEmpty() ? "" : " (" + said.lines().toList().getLast() + ")"));
    }
    if (output.getBytes(StandardCharsets.UTF_8).length > MAX_OUTPUT) {
      return new Reading.Broken(file + " printed more than " + MAX_OUTPUT + " bytes");
    }
    return output.indexOf('\0') >= 0
        ? new Reading.Broken(file + " printed binary data")
        : new Reading.Text(output);
  }

  private static String objection(Path file) throws IOException {
    Path real = file.toRealPath();
    if (!Files.isRegularFile(real)) {
      return "is not a regular file";
    }
    for (Path part :
        List.of(real, real.resolveSibling("."), file.toAbsolutePath().resolveSibling("."))) {
      String what = part.equals(real) ? "" : "lies in a folder that ";
      if (Files.getPosixFilePermissions(part).contains(PosixFilePermission.OTHERS_WRITE)) {
        return what + "is writable by everyone";
      }
      String owner = Files.getOwner(part).getName();
      if (!owner.equals("root") && !owner.equals(System.getProperty("user.name"))) {
        return what + "belongs to " + owner;
      }
    }
    return "";
  }
}
