package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kernel's files say is put together exactly as hwloc's own program does it. */
class LstopoTest {
  /** Tens of thousands of small files: in memory where there is such a place. */
  static final class Quick implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      Path memory = Path.of("/dev/shm");
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "lstopo")
          : Files.createTempDirectory("lstopo");
    }
  }

  @TempDir(factory = Quick.class)
  Path folder;

  static Map<String, Shape> shapes() {
    return Map.ofEntries(
        Map.entry("a desktop", Shape.of(1, 1, 1, 4, 2)),
        Map.entry("one CPU", Shape.of(1, 1, 1, 1, 1)),
        Map.entry("two sockets without threads", Shape.of(2, 1, 1, 8, 1)),
        Map.entry("two sockets, sub-NUMA clusters, threads", Shape.of(2, 4, 1, 24, 2)),
        Map.entry("two sockets of many small caches", Shape.of(2, 4, 12, 96, 2)),
        Map.entry("caches and nodes of the same CPUs", Shape.of(2, 4, 4, 16, 2)),
        Map.entry("nodes larger than caches, two dies", Shape.of(2, 2, 8, 16, 1).withDies(2)),
        Map.entry("dies that are nodes", Shape.of(2, 4, 4, 16, 2).withDies(4)),
        Map.entry("512 cores in 16 nodes", Shape.of(4, 4, 8, 128, 2)),
        Map.entry("16 sockets", Shape.of(16, 1, 1, 8, 2)),
        Map.entry("cores offline", Shape.of(2, 2, 2, 8, 2).withOffline(IdSet.parse("3,5,19"))),
        Map.entry("a socket offline", Shape.of(2, 2, 2, 4, 1).withOffline(IdSet.parse("4-7"))),
        Map.entry("a node without CPUs", Shape.of(2, 1, 1, 8, 2).withEmptyNodes(1)),
        Map.entry("memory nodes near each node", Shape.of(2, 2, 2, 8, 2).withEmptyNodes(4)));
  }

  static Stream<String> names() {
    return shapes().keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aMadeUpMachineHasTheSameParts(String name) throws Exception {
    FakeMachine machine = Optional.ofNullable(shapes().get(name)).orElseThrow().build();
    machine.writeTo(folder);
    same(SysfsTopology.read(machine), lstopo("--input", folder.toString(), "--if", "fsroot"));
  }

  @Test
  void clustersOfCoresAreGroupsUnlessSomethingElseHasTheirCpus() throws Exception {
    FakeMachine machine = Shape.of(2, 1, 2, 8, 2).build();
    machine.topology("cluster", 0, IdSet.parse("0-1,16-17"));
    machine.topology("cluster", 1, IdSet.parse("2-3,18-19"));
    machine.topology("cluster", 2, IdSet.parse("4-7,20-23")); // an L3 cache has these, too
    machine.topology("cluster", 3, IdSet.parse("8,24")); // and these a core
    machine.writeTo(folder);
    same(SysfsTopology.read(machine), lstopo("--input", folder.toString(), "--if", "fsroot"));
  }

  @Test
  void allCpusAreAGroupWhereMemoryStandsBesideThem() throws Exception {
    FakeMachine machine = new FakeMachine().cpus(IdSet.range(0, 3), IdSet.range(0, 3));
    machine.topology("package", 0, IdSet.range(0, 1)).topology("package", 1, IdSet.range(2, 3));
    for (int cpu = 0; cpu < 4; cpu++) {
      machine.topology("core", cpu, IdSet.of(cpu));
    }
    machine.node(0, IdSet.range(0, 3), "10 20").node(1, IdSet.EMPTY, "20 10");
    machine.writeTo(folder);
    same(SysfsTopology.read(machine), lstopo("--input", folder.toString(), "--if", "fsroot"));
  }

  @Test
  void thisMachineHasTheSameParts() throws Exception {
    same(SysfsTopology.read(new Live()), lstopo("--disallowed"));
  }

  @Test
  void devicesHangFromTheSamePartsBelowTheSameBridges() throws Exception {
    FakeMachine machine = Shape.of(2, 4, 1, 16, 2).build();
    IdSet third = IdSet.parse("8-11,40-43");
    IdSet fifth = IdSet.parse("16-19,48-51");
    machine
        .bridge("0000:15:01.0", 0x16, 0x1b, "pci0000:15")
        .bridge("0000:16:00.0", 0x17, 0x1b, "pci0000:15", "0000:15:01.0")
        .bridge("0000:17:00.0", 0x18, 0x18, "pci0000:15", "0000:15:01.0", "0000:16:00.0")
        .bridge("0000:17:01.0", 0x19, 0x19, "pci0000:15", "0000:15:01.0", "0000:16:00.0")
        .pci("0000:18:00.0", 0x030200, "10de", "nvidia", path("15:01.0 16:00.0 17:00.0"))
        .pci("0000:19:00.0", 0x020700, "15b3", "mlx5_core", path("15:01.0 16:00.0 17:01.0"))
        .bridge("0000:80:01.0", 0x81, 0x81, "pci0000:80")
        .bridge("0000:80:03.0", 0x82, 0x82, "pci0000:80")
        .pci("0000:81:00.0", 0x010802, "144d", "nvme", "pci0000:80", "0000:80:01.0")
        .pci("0000:00:1f.0", 0x020000, "8086", "igb", "pci0000:00");
    for (String address :
        List.of("15:01.0", "16:00.0", "17:00.0", "17:01.0", "18:00.0", "19:00.0")) {
      machine.near("0000:" + address, 2, third);
    }
    for (String address : List.of("80:01.0", "80:03.0", "81:00.0")) {
      machine.near("0000:" + address, 4, fifth);
    }
    machine.near("0000:00:1f.0", -1, IdSet.range(0, 63));
    machine.writeTo(folder);

    List<String> ours = places(SysfsTopology.read(machine));
    assertThat(ours).hasSize(4).contains("18:00.0 below 15:01.0 16:00.0 17:00.0, near 8-11,40-43");
    assertThat(ours)
        .containsExactlyInAnyOrderElementsOf(
            places(lstopo("--input", folder.toString(), "--if", "fsroot")));
  }

  private static String[] path(String bridges) {
    return ("pci0000:15 0000:" + bridges.replace(" ", " 0000:")).split(" ");
  }

  /** Every PCI function with the bridges above it and the CPUs it hangs from. */
  private static List<String> places(Topology machine) {
    List<String> places = new ArrayList<>();
    place(machine, machine.root(), "", places);
    return places;
  }

  private static void place(Topology machine, Part part, String above, List<String> places) {
    String address = part.fact(Part.PCI_ADDRESS).orElse("").replaceFirst("^0000:", "");
    if (part.kind() == PartKind.PCI_DEVICE) {
      Part holder = machine.holder(part);
      places.add(address + " below" + above + ", near " + holder.cpus());
    }
    String inside =
        part.kind() == PartKind.BRIDGE && !address.isEmpty() ? above + " " + address : above;
    part.children().forEach(child -> place(machine, child, inside, places));
    part.io().forEach(child -> place(machine, child, inside, places));
  }

  private static void same(Topology ours, Topology theirs) {
    assertThat(lines(ours)).isEqualTo(lines(theirs));
    assertThat(lines(ours.condensed())).isEqualTo(lines(theirs.condensed()));
  }

  private static Topology lstopo(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Tools.require("lstopo-no-graphics", "hwloc").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("--of", "xml", "-"));
    Path out = Files.createTempFile("lstopo", ".xml");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      return HwlocXml.read(Files.readString(out));
    } finally {
      Files.delete(out);
    }
  }

  /** Every part with its depth, kind, CPUs, local nodes and, for memory, its number and size. */
  private static List<String> lines(Topology machine) {
    List<String> lines = new ArrayList<>();
    write(machine.root(), "", lines);
    return lines;
  }

  private static void write(Part part, String indent, List<String> lines) {
    String number =
        part.kind() == PartKind.NUMA_NODE || part.kind() == PartKind.PU ? " " + part.number() : "";
    String size = part.fact(Part.CACHE_BYTES).or(() -> part.fact(Part.MEMORY_BYTES)).orElse("");
    lines.add(
        indent + part.kind() + number + " " + part.cpus() + " nodes " + part.nodes() + " " + size);
    part.memory().forEach(child -> write(child, indent + "  m ", lines));
    part.children().forEach(child -> write(child, indent + "  ", lines));
  }

  /** The files of the machine the test runs on. */
  private static final class Live implements MachineFiles {
    @Override
    public Optional<String> text(String path) {
      try {
        byte[] bytes = Files.readAllBytes(Path.of(path));
        return Optional.of(new String(bytes, StandardCharsets.UTF_8).strip());
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    @Override
    public List<String> list(String path) {
      try (Stream<Path> entries = Files.list(Path.of(path))) {
        return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
      } catch (IOException e) {
        return List.of();
      }
    }

    @Override
    public Optional<String> link(String path) {
      try {
        return Optional.of(Files.readSymbolicLink(Path.of(path)).toString());
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }
}
