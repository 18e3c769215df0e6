package dev.holdfast.core.topology;

import static dev.holdfast.core.topology.MachineText.core;
import static dev.holdfast.core.topology.MachineText.join;
import static dev.holdfast.core.topology.MachineText.many;
import static dev.holdfast.core.topology.MachineText.numa;
import static dev.holdfast.core.topology.MachineText.nvidia;
import static dev.holdfast.core.topology.MachineText.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.topology.bind.MemoryFirst;
import dev.holdfast.core.topology.bind.TaskRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damaged and malicious files give a machine or a sentence that helps; nothing else, and soon. */
class HostileTopologyTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data");
  private static final int ROUNDS = 4_000;

  private static String small() {
    return MachineText.xml(
        part("Package", 0, join(many(0, 2, i -> core(i, 2, 4)), numa(0), nvidia(0))),
        part("Package", 1, join(many(2, 2, i -> core(i, 2, 4)), numa(1), nvidia(1))));
  }

  /** Reads and, if that went well, maps. Only one kind of exception may come out. */
  private static boolean survives(String text) {
    try {
      Topology machine = TopologyReader.read(text);
      MemoryFirst.map(machine, TaskRequest.of(3));
      return true;
    } catch (IllegalArgumentException told) {
      assertThat(told.getMessage()).isNotBlank().hasSizeLessThan(1000);
      return false;
    }
  }

  @Test
  void everyBeginningOfAFileIsAnErrorAndNothingElse() {
    String whole = small();
    for (int end = 0; end < whole.length() - 1; end++) {
      assertThat(survives(whole.substring(0, end))).isEqualTo(false);
    }
    assertThat(survives(whole)).isTrue();
  }

  @Test
  void beginningsOfARealFileAreErrorsToo() throws IOException {
    Path file = DATA.resolve("topologies/16intel64-manyVFs.xml");
    assumeTrue(Files.isReadable(file), "the recorded machine is not here: " + file.normalize());
    String whole = Files.readString(file).strip();
    for (int end = 0; end < whole.length(); end += 7) {
      assertThat(survives(whole.substring(0, end))).isEqualTo(false);
    }
    assertThat(survives(whole)).isTrue();
  }

  @Test
  void flippedBitsGiveAMachineOrAnError() throws IOException {
    List<byte[]> honest = new ArrayList<>(List.of(small().getBytes(StandardCharsets.UTF_8)));
    if (Files.isDirectory(DATA)) {
      try (Stream<Path> files = Files.list(DATA.resolve("topologies"))) {
        for (Path file : files.sorted().toList()) {
          honest.add(Files.readAllBytes(file));
        }
      }
    }
    Random random = new Random(20_261_115);
    assertTimeoutPreemptively(
        Duration.ofSeconds(120),
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = honest.get(round % honest.size()).clone();
            for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
              bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            survives(new String(bytes, StandardCharsets.UTF_8));
          }
        });
  }

  @Test
  void exchangedNumbersGiveAMachineOrAnError() {
    Random random = new Random(7);
    String whole = small();
    String[] evil = {
      "", "-1", "0", "0x0", "0xf...f", "99999999999", "0x", ",,,,", "0x1,", "NaN", "4294967295"
    };
    for (int round = 0; round < ROUNDS; round++) {
      String text = whole;
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int start = text.indexOf("=\"", random.nextInt(text.length()));
        int end = start < 0 ? -1 : text.indexOf('"', start + 2);
        if (end > 0) {
          String value = evil[random.nextInt(evil.length)];
          text = text.substring(0, start + 2) + value + text.substring(end);
        }
      }
      survives(text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <object type="Pod"/>           | line 2: an object of the unknown type 'Pod'
          <object type="Cache"/>         | line 2: a cache of depth ''
          <object/>                      | line 2: an object of the unknown type ''
          <object type="PU"/>            | line 2: a PU without its number
          <object type="PU" os_index="99999999"/>   | line 2: a PU without its number
          <object type="PU" os_index="-3"/>         | line 2: a PU without its number
          <object type="PU" os_index="1" cpuset="0x4"/> | line 2: the PU with os_index 1 has the cpuset 2
          <object type="PU" os_index="0" cpuset="zero"/> | line 2: cpuset: 'zero' is not a mask
          <object type="NUMANode"/>      | line 2: a NUMANode without its number
          <object type="PCIDev"><object type="PU" os_index="0"/></object> | line 2: a PU inside a PCIDev
          <object type="NUMANode" os_index="0"><object type="PU" os_index="0"/></object> | line 2: a PU inside a NUMANode
          <object type="PU" os_index="0"/><object type="PU" os_index="0"/> | line 2: the PU with os_index 0 stands here a second
          <object type="NUMANode" os_index="0"/><object type="NUMANode" os_index="0"/> | line 2: the NUMANode with os_index 0 stands here
          <object type="Core" cpuset="0x3"/><object type="Core" cpuset="0x6"/> | line 2: parts of this Machine share CPUs
          <object type="Core" cpuset="0x1"><object type="PU" os_index="3"/></object> | line 2: this Core has the CPUs 0, but parts inside it have 3
          <object type="Core"/>          | the machine has no CPUs
          """)
  void contradictionsAreToldWithTheirLine(String inside, String message) {
    String text =
        "<topology version=\"2.0\">\n<object type=\"Machine\">" + inside + "</object></topology>";
    assertThatThrownBy(() -> HwlocXml.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aFileThatIsNoMachineIsToldApart() {
    assertThatThrownBy(() -> HwlocXml.read("<topology/>"))
        .hasMessage("<topology> is not hwloc's <topology> with an <object> inside");
    assertThatThrownBy(
            () -> HwlocXml.read("<topology version=\"2.0\"><object type=\"Core\"/></topology>"))
        .hasMessage("line 1: the outermost object is not a Machine");
    assertThatThrownBy(
            () -> HwlocXml.read("<topology version=\"x\"><object type=\"Machine\"/></topology>"))
        .hasMessage("line 1: version 'x' is none of hwloc's, such as 2.0");
  }

  @Test
  void whatAFileLeavesOutFollowsFromWhatItSays() {
    Topology machine =
        HwlocXml.read(
            """
            <topology version="2.0"><object type="Machine" allowed_cpuset="0xf...f">
              <object type="Package"><object type="Core"><object type="PU" os_index="5"/></object>
              </object></object></topology>
            """);
    assertThat(TreeText.of(machine))
        .isEqualTo(
            """
            Machine cpus 5 nodes 0
              NUMANode#0 cpus 5 nodes 0
              Package cpus 5 nodes 0
                Core cpus 5 nodes 0
                  PU#5 cpus 5 nodes 0
            """);
    assertThat(machine.details().notes())
        .containsExactly("the source tells of no NUMA node; the whole machine is taken as one");
  }

  @Test
  void cpusBeyondAllReasonAreRefused() {
    String huge = "0x1" + ",".repeat(31_250);
    assertThatThrownBy(() -> IdSet.parseMask(huge)).hasMessage("a mask with more than 65536 bits");
    assertThatThrownBy(() -> IdSet.parseMask("f".repeat(1 << 20)))
        .hasMessage("a mask with more than 65536 bits");
    assertThatThrownBy(() -> IdSet.parse("0-" + "9".repeat(9)))
        .hasMessage("999999999 is outside of 0-65535");
    assertThatThrownBy(() -> IdSet.parse("1,".repeat(1 << 20)))
        .hasMessageStartingWith("a list of numbers with more than");
    assertThatThrownBy(() -> IdSet.parse("5-3"))
        .hasMessage("'5-3' has a range that runs backwards");
    assertThatThrownBy(() -> IdSet.parseMask("0x+1,0x1")).hasMessageContaining("is not a mask");
  }

  /** Wide, deep and with a level for each part: the shapes that make tree walks slow. */
  @Test
  void largeTreesTakeSecondsAtMost() {
    StringBuilder kinds = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\">");
    for (int i = 0; i < 60_000; i++) {
      kinds.append("<object type=\"Group\" kind=\"%d\">".formatted(i));
      kinds.append("<object type=\"PU\" os_index=\"%d\"/></object>".formatted(i));
    }
    StringBuilder deep = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\">");
    for (int i = 0; i < 1_500; i++) {
      for (int level = 0; level < 110; level++) {
        deep.append("<object type=\"Group\" kind=\"%d\">".formatted(level));
      }
      deep.append("<object type=\"PU\" os_index=\"%d\"/>".formatted(i));
      deep.append("</object>".repeat(110));
    }
    StringBuilder wide = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\">");
    for (int i = 0; i < 60_000; i++) {
      wide.append("<object type=\"Core\"><object type=\"PU\" os_index=\"%d\"/>".formatted(i));
      wide.append("</object>");
    }
    for (StringBuilder text : List.of(kinds, deep, wide)) {
      assertTimeoutPreemptively(
          Duration.ofSeconds(60), () -> survives(text.append("</object></topology>").toString()));
    }
  }

  @Test
  void matricesBeyondAllReasonAreLeftOut() {
    String many = "7 ".repeat(3_000_000);
    String text =
        small()
            .replace(
                "</topology>",
                "<distances2 type=\"NUMANode\" nbobjs=\"2\" kind=\"5\" indexing=\"os\">"
                    + "<indexes length=\"1\">"
                    + many
                    + "</indexes><u64values length=\"1\">"
                    + many
                    + "</u64values></distances2></topology>");
    assertThat(HwlocXml.read(text).details().distances()).isEmpty();
  }

  @Test
  void distancesAndNvlinksAreRead() {
    String text =
        small()
            .replace("name=\"nvml0\"", "gp_index=\"70\" name=\"nvml0\"")
            .replace("name=\"nvml1\"", "gp_index=\"71\" name=\"nvml1\"")
            .replace(
                "</topology>",
                """
                <distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os">
                <indexes length="4">0 1 </indexes><u64values length="9">10 21 22 10 </u64values>
                </distances2>
                <distances2hetero nbobjs="2" kind="9" name="NVLinkBandwidth">
                <indexes length="9">OSDev:70 OSDev:71 </indexes>
                <u64values length="9">0 25000 25000 0 </u64values></distances2hetero>
                </topology>""");
    Topology machine = HwlocXml.read(text);
    assertThat(machine.details().distances())
        .containsEntry(0, List.of(10, 21))
        .containsEntry(1, List.of(22, 10));
    assertThat(machine.link(machine.gpus().get(0), machine.gpus().get(1))).isEqualTo(Link.NV);
  }

  @Test
  void hwlocThreeTellsTypesOfDevicesAsBitsAndTheHostBesideTheMachine() {
    String text =
        MachineText.xml(
                "3.0",
                List.of(
                    part(
                        "Package",
                        0,
                        core(0, 1, 1),
                        numa(0),
                        MachineText.pci(
                            "0000:03:00.0",
                            "15b3",
                            MachineText.named("ib0", 16, ""),
                            MachineText.named("mlx5_0", 48, "")),
                        MachineText.pci(
                            "0000:04:00.0", "10de", MachineText.named("nvml0", 4, "NVML")))))
            .replace("</topology>", "<info name=\"HostName\" value=\"n7\"/></topology>");
    Topology machine = HwlocXml.read(text);
    assertThat(machine.details().host()).isEqualTo("n7");
    assertThat(machine.devices())
        .extracting(Device::kind, Device::name)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Device.Kind.NIC, "mlx5_0"),
            org.assertj.core.groups.Tuple.tuple(Device.Kind.GPU, "GPU0"));
  }
}
