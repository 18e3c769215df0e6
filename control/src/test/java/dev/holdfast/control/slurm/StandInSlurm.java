package dev.holdfast.control.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Slurm's programs as a test wants them: they print files, and write down how they were called. A
 * file {@code NAME.once} is printed one time in place of {@code NAME}; what {@code after-update}
 * holds is run after an update.
 */
final class StandInSlurm {
  private static final String SCONTROL =
      """
      case "$1 $2" in
        'show config') print config ;;
        'show nodes') print nodes ;;
        'show node')
          [ -e "node.once" ] && print node
          awk -v RS= -v ORS='\\n\\n' -v name="NodeName=$3 " 'index($0, name) == 1' nodes | grep . ||
            { echo "Node $3 not found"; exit 1; } ;;
        'show job')
          [ -e "job-$3" ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }
          print "job-$3" ;;
        'show reservation')
          [ -e "reservation" ] || { echo "Reservation $3 not found"; exit 1; }
          print reservation ;;
        *)
          [ -e after-update ] && . ./after-update
          exit 0 ;;
      esac
      """;

  private static final String SQUEUE =
      """
      case "$*" in
        *--steps*) print steps ;;
        *--jobs=*)
          all="$*"
          id=${all##*--jobs=}
          grep "^${id%% *}|" jobs
          exit 0 ;;
        *) print jobs ;;
      esac
      """;

  private final Path folder;

  StandInSlurm(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    program("scontrol", SCONTROL);
    program("squeue", SQUEUE);
    program("scancel", "exit 0\n");
    cluster("alpha", Instant.now());
    answer("nodes", "");
    answer("jobs", "");
    answer("steps", "");
    answer("calls", "");
  }

  private void program(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(
        file,
        """
        #!/bin/sh
        cd '%s' || exit 9
        echo "%s $*" >> calls
        print() {
          if [ -e "$1.once" ]; then mv "$1.once" "$1.now"; cat "$1.now"; exit 0; fi
          cat "$1"
          exit 0
        }
        """
                .formatted(folder, name)
            + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** From now on that is what is printed; in one step, as a program may be reading. */
  void answer(String name, String text) {
    answer(name, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  void answer(String name, byte[] bytes) {
    try {
      Path next = Files.write(folder.resolve(name + ".next"), bytes);
      Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  void cluster(String name, Instant time) {
    answer(
        "config",
        """
        Configuration data as of %d
        BOOT_TIME               = 1794788900
        ClusterName             = %s
        SLURM_VERSION           = 22.05.8
        """
            .formatted(time.getEpochSecond(), name));
  }

  /** A node as {@code scontrol show nodes} has it. */
  static String node(String name, String state, String... lines) {
    StringBuilder text = new StringBuilder();
    text.append("NodeName=").append(name).append(" Arch=x86_64 CoresPerSocket=1 \n");
    text.append("   Gres=gpu:h200:8\n");
    text.append("   State=").append(state).append(" ThreadsPerCore=1 Owner=N/A\n");
    text.append("   Partitions=main \n");
    for (String line : lines) {
      text.append("   ").append(line).append('\n');
    }
    return text.append('\n').toString();
  }

  /** A job as squeue has it in our columns. */
  static String job(long id, String state, int restarts, String nodes) {
    return "%1$d|%2$s|ann|%3$d|1|2|1794788917|1794788918|%4$s|None|%1$d|%n"
        .formatted(id, state, restarts, nodes);
  }

  List<String> calls() {
    try {
      return Files.readAllLines(folder.resolve("calls"));
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  /** Those that change something. */
  List<String> changes() {
    return calls().stream()
        .filter(it -> !it.startsWith("squeue") && !it.startsWith("scontrol show"))
        .toList();
  }

  /** Looked at all the time. */
  SlurmSettings settings(String cluster) {
    return new SlurmSettings(
        Duration.ofMillis(50),
        Duration.ofSeconds(10),
        cluster,
        false,
        true,
        SlurmSettings.Rest.NONE,
        Map.of("PATH", folder + ":/usr/bin:/bin"));
  }

  SlurmPrograms programs() {
    return new SlurmPrograms(settings(""));
  }
}
