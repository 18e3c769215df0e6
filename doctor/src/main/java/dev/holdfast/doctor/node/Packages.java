package dev.holdfast.doctor.node;

import dev.holdfast.os.file.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which of the packages that matter for training are installed, as Debian's own database says:
 * {@code name TAB version} a line. The database is a few megabytes of text, so it is read line by
 * line and only these names are kept.
 */
final class Packages {
  static final Pattern WANTED =
      Pattern.compile(
          "(nvidia-|libnvidia-container|cuda-(compat|drivers|toolkit)|libnccl|libcudnn|datacenter-gpu"
              + "|mlnx-|doca-|rdma-core|ibverbs|openmpi|libfabric|slurm|enroot|pyxis|nvslurm"
              + "|docker-ce|containerd|kubelet|amdgpu|rocm-(core|dev)|lustre-client|linux-image-)"
              + ".{0,80}");
  private static final Path STATUS = Path.of("/var/lib/dpkg/status");
  private static final long MAX_LINES = 2_000_000;

  private Packages() {}

  static Reading read() {
    return read(STATUS);
  }

  static Reading read(Path status) {
    Map<String, String> versions = new TreeMap<>();
    try (BufferedReader lines = Files.newBufferedReader(status, StandardCharsets.ISO_8859_1)) {
      String name = "";
      boolean installed = false;
      String line = lines.readLine();
      for (long count = 0; line != null && count < MAX_LINES; count++) {
        if (line.startsWith("Package: ")) {
          name = line.substring("Package: ".length()).strip();
          installed = false;
        } else if (line.startsWith("Status: ")) {
          installed = line.endsWith(" installed");
        } else if (line.startsWith("Version: ") && installed && WANTED.matcher(name).matches()) {
          versions.put(name, line.substring("Version: ".length()).strip());
        }
        line = lines.readLine();
      }
    } catch (NoSuchFileException e) {
      return new Reading.Absent("no Debian package database on this node");
    } catch (IOException e) {
      return new Reading.Broken(status + ": " + e.getMessage());
    }
    StringBuilder text = new StringBuilder();
    versions.forEach(
        (name, version) -> text.append(name).append('\t').append(version).append('\n'));
    return new Reading.Text(text.toString());
  }
}
