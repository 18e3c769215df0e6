package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Trees, levels, orders and restrictions are those that hwloc itself makes of the same machine. */
class HwlocDifferentialTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data");

  private static final List<String> STRUCTURE =
      List.of("--filter", "all:structure", "--filter", "memcache:all");

  /** Machines in hwloc's own short form. */
  private static final List<String> MADE =
      List.of(
          "pack:2 die:2 [numa] l3:4 core:4 pu:2",
          "core:4 pu:1",
          "pu:1",
          "pu:8",
          "pack:2 core:8 pu:2",
          "pack:2 [numa] core:8 pu:1",
          "[numa] pack:2 core:4 pu:4",
          "pack:2 core:4 pu:8",
          "[numa] pack:2 [numa] core:4 pu:2",
          "pack:2 [numa] [numa] l3:2 l2:2 core:1 pu:4",
          "group:2 [numa] pack:2 l3:2 core:2 pu:2",
          "group:2 group:2 [numa] group:2 core:2 pu:2",
          "group:2 pack:1 [numa] l3:1 core:4 pu:1",
          "pack:1 die:1 l3:1 [numa] l2:1 core:1 pu:1",
          "pack:4 [numa(memory=1GB)] die:1 l3:2 [numa(memory=2GB)] core:2 pu:2",
          "pack:2 l3:1 l2:4 l1d:1 l1i:1 core:1 pu:2",
          "numa:4 core:4 pu:2(indexes=0,16,1,17)",
          "pack:2 numa:2 core:3 pu:2(indexes=pu:core:numa:pack)",
          "numa:2(indexes=1,0) pack:1 core:4 pu:2",
          "pack:2 [numa(indexes=3,1)] core:4 pu:2(indexes=core:pu:pack)",
          "l4:2 pack:1 l3:2 core:2 pu:2",
          "l5:1 l4:1 l3:2 l2:2 l1d:2 core:1 pu:1",
          "group:4 core:8 pu:1",
          "group:2 numa:1 group:2 l2:1 core:2 pu:8",
          "pack:8 core:1 pu:1",
          "numa:16 core:32 pu:2",
          "die:4 [numa] core:6 pu:2",
          "pack:1 [numa] group:4 [numa] core:9 pu:4",
          "pack:2 l3:3 [numa] l2:1 [numa] core:2 pu:2",
          "l3:2 pack:2 die:2 group:2 core:2 pu:2");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> madeMachinesAreReadAsHwlocReadsThem() throws IOException {
    Lstopo lstopo = Lstopo.require(folder);
    List<DynamicTest> tests = new ArrayList<>();
    for (String description : MADE) {
      String xml = lstopo.made(description);
      tests.add(test(description, lstopo, xml));
      IdSet cpus = HwlocXml.read(xml).cpus();
      if (cpus.count() > 2) {
        IdSet some = some(cpus, 0.7, new Random(description.hashCode()));
        String lopsided =
            lstopo.about(
                xml,
                "--filter",
                "all:all",
                "--restrict",
                MachineText.mask(some),
                "--restrict-flags",
                "1",
                "--of",
                "xml");
        tests.add(test(description + " of which " + some, lstopo, lopsided));
      }
    }
    assertThat(tests).hasSizeGreaterThan(50);
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> realMachinesAreReadAsHwlocReadsThem() throws IOException {
    assumeTrue(Files.isDirectory(DATA), "the recorded machines are not here: " + DATA.normalize());
    Lstopo lstopo = Lstopo.require(folder);
    List<DynamicTest> tests = new ArrayList<>();
    for (String place : List.of("mpibind/topologies", "topologies")) {
      try (Stream<Path> listing = Files.list(DATA.resolve(place))) {
        for (Path file : listing.filter(HwlocDifferentialTest::hwloc).sorted().toList()) {
          tests.add(test(file.getFileName().toString(), lstopo, Files.readString(file)));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThanOrEqualTo(16);
    return tests.stream();
  }

  private static boolean hwloc(Path file) {
    try {
      return file.toString().endsWith(".xml") && Files.readString(file).contains("<topology");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static DynamicTest test(String name, Lstopo lstopo, String xml) {
    return DynamicTest.dynamicTest(name, () -> compare(lstopo, xml));
  }

  private static void compare(Lstopo lstopo, String xml) throws IOException {
    Topology machine = HwlocXml.read(xml);
    assertThat(TreeText.of(machine)).isEqualTo(tree(lstopo, xml, "--filter", "all:all"));

    String one =
        lstopo.about(xml, "--filter", "all:all", "--export-xml-flags", "v1", "--of", "xml");
    assertThat(TreeText.of(HwlocXml.read(one)))
        .as("written as hwloc 1 does")
        .isEqualTo(tree(lstopo, one, "--filter", "all:all"));

    Topology condensed = machine.condensed();
    assertThat(TreeText.of(condensed)).as("condensed").isEqualTo(structure(lstopo, xml));
    assertThat(condensed.numaNodes().stream().map(Part::number).toList())
        .as("order of NUMA nodes")
        .isEqualTo(nodes(lstopo, xml));
    assertThat(
            condensed.devices().stream()
                .map(device -> device.part().name())
                .filter(name -> !name.isEmpty())
                .toList())
        .as("order of devices")
        .isSubsetOf(devices(lstopo, xml))
        .isEqualTo(
            devices(lstopo, xml).stream()
                .filter(
                    name ->
                        condensed.devices().stream()
                            .anyMatch(device -> device.part().name().equals(name)))
                .toList());

    Random random = new Random(xml.length());
    for (double share : List.of(0.0, 0.1, 0.5, 0.9)) {
      restrict(lstopo, xml, condensed, Restriction.Of.CPUS, some(machine.cpus(), share, random));
      IdSet withCpus =
          IdSet.of(
              machine.numaNodes().stream()
                  .filter(node -> !node.cpus().isEmpty())
                  .mapToInt(Part::number)
                  .toArray());
      restrict(lstopo, xml, condensed, Restriction.Of.NODES, some(withCpus, share, random));
    }
  }

  /** hwloc condenses before it restricts, and again afterwards. */
  private static void restrict(
      Lstopo lstopo, String xml, Topology condensed, Restriction.Of of, IdSet ids)
      throws IOException {
    boolean cpus = of == Restriction.Of.CPUS;
    assertThat(TreeText.of(new Restriction(of, ids).apply(condensed).condensed()))
        .as("restricted to %s %s", of, ids)
        .isEqualTo(
            structure(
                lstopo,
                xml,
                "--restrict",
                (cpus ? "" : "nodeset=") + MachineText.mask(ids),
                "--restrict-flags",
                cpus ? "1" : "24")); // without nodes that have no CPUs; CPUs that have no nodes
  }

  private static String structure(Lstopo lstopo, String xml, String... more) throws IOException {
    List<String> options = new ArrayList<>(STRUCTURE);
    options.addAll(List.of(more));
    return tree(lstopo, xml, options.toArray(String[]::new));
  }

  private static String tree(Lstopo lstopo, String xml, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--of", "xml"));
    return TreeText.ofXml(lstopo.about(xml, all.toArray(String[]::new)));
  }

  private static List<Integer> nodes(Lstopo lstopo, String xml) throws IOException {
    String text = lstopo.about(xml, "--only", "numanode", "-p", "--of", "console");
    return Pattern.compile("P#([0-9]+)")
        .matcher(text)
        .results()
        .map(found -> Integer.parseInt(found.group(1)))
        .toList();
  }

  private static List<String> devices(Lstopo lstopo, String xml) throws IOException {
    String text = lstopo.about(xml, "--only", "osdev", "--of", "console");
    return Pattern.compile("\"([^\"]+)\"")
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** About a share of the ids, at least one. */
  private static IdSet some(IdSet ids, double share, Random random) {
    int[] picked = ids.stream().filter(_ -> random.nextDouble() < share).toArray();
    return picked.length == 0 ? IdSet.of(ids.first()) : IdSet.of(picked);
  }
}
