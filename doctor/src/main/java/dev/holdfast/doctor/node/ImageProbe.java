package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What managed platforms look at in a container image, which file contents do not tell: kinds,
 * owners and rights of some folders, and which programs are on the PATH.
 */
final class ImageProbe {
  private static final List<String> PATHS =
      List.of(
          "/opt/ml",
          "/opt/ml/code",
          "/opt/ml/model",
          "/opt/ml/input",
          "/opt/ml/output",
          "/opt/ml/checkpoints",
          "/home/ma-user",
          "/user/config",
          "/cache",
          "/tmp",
          "/dev/shm",
          "/dev/termination-log");
  private static final List<String> PROGRAMS =
      List.of("train", "python", "python3", "conda", "bash", "sh", "tini", "dumb-init", "sshd");
  private static final int MAX_FOLDERS = 100;
  private static final int MAX_ARGUMENT = 100;

  private ImageProbe() {}

  static Reading read(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    PATHS.forEach(path -> text.append(path(path, Path.of(path))));
    text.append(path("working", Path.of("").toAbsolutePath()));
    for (String program : PROGRAMS) {
      text.append("program\t").append(program).append('\t');
      text.append(find(program, environment.getOrDefault("PATH", ""))).append('\n');
    }
    text.append("first");
    BoundedFile.read(Path.of("/proc/1/cmdline"), 1 << 20, Form.NUL_SEPARATED)
        .text()
        .ifPresent(
            arguments ->
                arguments
                    .lines()
                    .limit(2)
                    .forEach(argument -> text.append('\t').append(clean(argument))));
    return new Reading.Text(text.append('\n').toString());
  }

  private static String path(String name, Path path) {
    String kind = "absent";
    String mode = "0";
    String owner = "";
    try {
      Map<String, Object> seen = Files.readAttributes(path, "unix:mode,uid");
      kind = Files.isDirectory(path) ? "directory" : Files.isRegularFile(path) ? "file" : "other";
      mode = seen.get("mode") instanceof Integer bits ? Integer.toOctalString(bits & 0xfff) : "0";
      owner = String.valueOf(seen.get("uid"));
    } catch (IOException | RuntimeException e) {
      kind = Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? "hidden" : "absent";
    }
    String writable = Files.isWritable(path) ? "writable" : "readonly";
    return String.join("\t", "path", name, kind, mode, owner, writable) + "\n";
  }

  private static String find(String program, String path) {
    int looked = 0;
    for (String folder : path.split(":")) {
      if (folder.startsWith("/") && looked++ < MAX_FOLDERS) {
        Path candidate = Path.of(folder, program);
        if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
          return candidate.toString();
        }
      }
    }
    return "";
  }

  private static String clean(String argument) {
    String plain = argument.replace('\t', ' ').replace('\n', ' ');
    return plain.length() <= MAX_ARGUMENT ? plain : plain.substring(0, MAX_ARGUMENT);
  }
}
