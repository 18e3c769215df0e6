package dev.holdfast.agent.testing;

import dev.holdfast.doctor.node.FolderNode;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;

/**
 * A simulated node of eight GPUs and adapters, as a folder that a test changes while it is used.
 */
public record TryNode(Path folder, Path kernelLog) {
  public static final String NAME = "clean";
  public static final int UPTIME = 900_000;

  /** The fixture {@code clean}, unfolded below a folder of the test. */
  public static TryNode in(Path parent) {
    Path folder = parent.resolve("node");
    FolderNode.unfold(Golden.root().resolve("fixtures/nodes/clean"), folder);
    Path log = parent.resolve("kernel.log");
    TryNode node = new TryNode(folder, log);
    node.write(log, "");
    // It runs for ten days, so that lines stamped so are of now.
    Path stat = folder.resolve("root/proc/stat");
    long boot = System.currentTimeMillis() / 1000 - UPTIME;
    node.write(stat, read(stat).replaceFirst("btime \\d+", "btime " + boot));
    return node;
  }

  public void gpuLost(int gpu) {
    Path file = folder.resolve("probe/nvml");
    String left =
        read(file)
            .lines()
            .filter(line -> !line.startsWith("gpu." + gpu + "."))
            .collect(Collectors.joining("\n"));
    write(file, left + "\ngpu." + gpu + ".call.failed=nvmlDeviceGetName:GPU_IS_LOST\n");
  }

  public void gpuBack(Path parent) {
    Path fresh = parent.resolve("fresh");
    FolderNode.unfold(Golden.root().resolve("fixtures/nodes/clean"), fresh);
    write(folder.resolve("probe/nvml"), read(fresh.resolve("probe/nvml")));
  }

  public void link(String device, boolean up) {
    String port = "/sys/class/infiniband/" + device + "/ports/1/";
    file(port + "state", up ? "4: ACTIVE\n" : "1: DOWN\n");
    file(port + "phys_state", up ? "5: LinkUp\n" : "2: Polling\n");
  }

  public void file(String path, String text) {
    write(folder.resolve("root" + path), text);
  }

  public void probe(String name, String text) {
    write(folder.resolve("probe").resolve(name), text);
  }

  public void kernelSays(String line) {
    try {
      Files.writeString(kernelLog, line + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String xid(int code, String gpu, int second) {
    return "<3>[%6d.000000] NVRM: Xid (PCI:0000:%s:00): %d, pid=4711, name=python3, text"
        .formatted(second, gpu, code);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At once, as the kernel's files change; a reader never sees half of it. */
  private void write(Path file, String text) {
    try {
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
