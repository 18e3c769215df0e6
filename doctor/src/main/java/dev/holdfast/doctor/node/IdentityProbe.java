package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is asking: the effective user, its capabilities, and whether this is a container. */
final class IdentityProbe {
  private static final int MAX_FILE = 64 << 10;

  /** By bit number, as in {@code linux/capability.h}. */
  private static final List<String> CAPABILITIES =
      List.of(
          "CAP_CHOWN",
          "CAP_DAC_OVERRIDE",
          "CAP_DAC_READ_SEARCH",
          "CAP_FOWNER",
          "CAP_FSETID",
          "CAP_KILL",
          "CAP_SETGID",
          "CAP_SETUID",
          "CAP_SETPCAP",
          "CAP_LINUX_IMMUTABLE",
          "CAP_NET_BIND_SERVICE",
          "CAP_NET_BROADCAST",
          "CAP_NET_ADMIN",
          "CAP_NET_RAW",
          "CAP_IPC_LOCK",
          "CAP_IPC_OWNER",
          "CAP_SYS_MODULE",
          "CAP_SYS_RAWIO",
          "CAP_SYS_CHROOT",
          "CAP_SYS_PTRACE",
          "CAP_SYS_PACCT",
          "CAP_SYS_ADMIN",
          "CAP_SYS_BOOT",
          "CAP_SYS_NICE",
          "CAP_SYS_RESOURCE",
          "CAP_SYS_TIME",
          "CAP_SYS_TTY_CONFIG",
          "CAP_MKNOD",
          "CAP_LEASE",
          "CAP_AUDIT_WRITE",
          "CAP_AUDIT_CONTROL",
          "CAP_SETFCAP",
          "CAP_MAC_OVERRIDE",
          "CAP_MAC_ADMIN",
          "CAP_SYSLOG",
          "CAP_WAKE_ALARM",
          "CAP_BLOCK_SUSPEND",
          "CAP_AUDIT_READ",
          "CAP_PERFMON",
          "CAP_BPF",
          "CAP_CHECKPOINT_RESTORE");

  /** The first PID namespace of a kernel always has this inode (PROC_PID_INIT_INO). */
  private static final String HOST_PROCESSES = "pid:[4026531836]";

  private IdentityProbe() {}

  static Reading read(Map<String, String> environment) {
    Reading status = BoundedFile.read(Path.of("/proc/self/status"), MAX_FILE);
    Optional<String> text = status.text();
    if (text.isEmpty()) {
      return status;
    }
    String namespace = BoundedFile.link(Path.of("/proc/self/ns/pid")).text().orElse("unknown");
    Optional<String> container = container(namespace, environment);
    return new Reading.Text(
        "user="
            + word(text.get(), "Uid:", 2)
            + "\ncapabilities="
            + String.join(" ", capabilities(word(text.get(), "CapEff:", 1)))
            + "\nprocesses="
            + (namespace.equals("unknown")
                ? "unknown"
                : namespace.equals(HOST_PROCESSES) ? "host" : "own")
            + "\ncontainer="
            + (container.isPresent() ? "yes" : "no")
            + "\ncontainer.sign="
            + container.orElse("")
            + "\n");
  }

  static List<String> capabilities(String mask) {
    List<String> names = new ArrayList<>();
    try {
      long bits = Long.parseUnsignedLong(mask, 16);
      for (int bit = 0; bit < CAPABILITIES.size(); bit++) {
        if ((bits >>> bit & 1) != 0) {
          names.add(CAPABILITIES.get(bit));
        }
      }
    } catch (NumberFormatException e) {
      names.add("unknown");
    }
    return names;
  }

  /** The sign by which this is known to be a container, if it is one. */
  private static Optional<String> container(String namespace, Map<String, String> environment) {
    for (String file : List.of("/.dockerenv", "/run/.containerenv", "/run/systemd/container")) {
      if (Files.exists(Path.of(file))) {
        return Optional.of(file);
      }
    }
    for (String name : List.of("KUBERNETES_SERVICE_HOST", "PYXIS_VERSION", "APPTAINER_NAME")) {
      if (environment.containsKey(name)) {
        return Optional.of("environment " + name);
      }
    }
    String first = BoundedFile.read(Path.of("/proc/1/cgroup"), MAX_FILE).text().orElse("");
    for (String runtime : List.of("docker", "kubepods", "containerd", "libpod", "lxc")) {
      if (first.contains(runtime)) {
        return Optional.of("/proc/1/cgroup names " + runtime);
      }
    }
    boolean own = !namespace.equals("unknown") && !namespace.equals(HOST_PROCESSES);
    return own ? Optional.of("a PID namespace of its own") : Optional.empty();
  }

  private static String word(String status, String row, int index) {
    for (String line : status.split("\n")) {
      if (line.startsWith(row)) {
        String[] words = line.split("\\s+");
        return words.length > index ? words[index] : "";
      }
    }
    return "";
  }
}
