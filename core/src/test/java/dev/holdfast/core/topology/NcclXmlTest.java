package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Topology files of NCCL: those of a machine, those of a job, and wrong ones. */
class NcclXmlTest {
  private static final String MACHINE =
      """
      <system version="1">
        <cpu numaid="1" affinity="0000ff00" arch="x86_64">
          <pci busid="ffff:ff:02.0" class="0x060400">
            <pci busid="0001:00:00.0" class="0x030200"/>
            <pci busid="0101:00:00.0" class="0x020700"/>
          </pci>
          <pci busid="0201:00:00.0" class="0x020000"/>
        </cpu>
        <cpu numaid="0" affinity="000000ff" arch="x86_64">
          <pci busid="ffff:ff:01.0" class="0x060400">
            <pci busid="0002:00:00.0" class="0x030200"/>
            <pci busid="ffff:ff:03.0" class="0x060400">
              <pci busid="0102:00:00.0" class="0x020700"/>
            </pci>
          </pci>
        </cpu>
      </system>
      """;

  private static final String JOB =
      """
      <system version="1">
        <cpu host_hash="0x1" numaid="0" affinity="ff" arch="x86_64">
          <pci busid="0000:0A:00.0" class="0x060400" vendor="0x1000">
            <pci busid="0000:0f:00.0" class="0x030200" vendor="0x10de" device="0x20b0">
              <gpu dev="1" sm="80" rank="0" gdr="1">
                <nvlink target="0000:c4:00.0" count="2" tclass="0x068000"/>
                <nvlink target="0000:c5:00.0" count="10" tclass="0x068000"/>
              </gpu>
            </pci>
            <pci busid="0000:0b:00.0" class="0x030200" vendor="0x10de" device="0x20b0">
              <gpu dev="0" sm="80" rank="1" gdr="1">
                <nvlink target="0000:c4:00.0" count="12" tclass="0x068000"/>
              </gpu>
            </pci>
            <pci busid="0000:0c:00.0" class="0x020700" vendor="0x15b3" device="0x101b">
              <nic>
                <net name="mlx5_0" dev="0" speed="200000" port="1" guid="0xa26255" gdr="1"/>
                <net name="mlx5_1" dev="1" speed="100000" port="2" guid="0xa26255" gdr="1"/>
              </nic>
            </pci>
          </pci>
          <nic>
            <net name="mlx5_0" dev="0" speed="200000" port="1" guid="0xa26255" coll="1"/>
            <net name="eth0" dev="0" speed="100000" port="0" guid="0x0" gdr="0"/>
          </nic>
        </cpu>
        <cpu host_hash="0x2" numaid="0" affinity="ff" arch="x86_64"/>
      </system>
      """;

  @Test
  void numbersGpusByPciAddressAndNamesAdaptersByIt() {
    Topology machine = NcclXml.read(MACHINE);
    assertThat(machine.gpus())
        .extracting(Device::id, Device::pci, gpu -> gpu.anchor().nodes().toString())
        .containsExactlyInAnyOrder(
            tuple("0", "0001:00:00.0", "1"), tuple("1", "0002:00:00.0", "0"));
    assertThat(machine.gpus()).allMatch(gpu -> gpu.vendor().equals("10de"));
    assertThat(machine.devices(Device.Kind.NIC))
        .extracting(Device::name)
        .containsExactlyInAnyOrder("0101:00:00.0", "0201:00:00.0", "0102:00:00.0");
    assertThat(machine.details().notes())
        .anyMatch(note -> note.contains("numbered by PCI address"))
        .anyMatch(note -> note.contains("does not name the adapters"))
        .anyMatch(note -> note.contains("nothing of cores"));
  }

  @Test
  void countsSwitchesAsNcclDoes() {
    Topology machine = NcclXml.read(MACHINE);
    assertThat(link(machine, "GPU0", "0101:00:00.0")).isEqualTo(Link.PIX);
    assertThat(link(machine, "GPU1", "0102:00:00.0")).isEqualTo(Link.PXB);
    assertThat(link(machine, "GPU0", "0201:00:00.0")).isEqualTo(Link.PHB);
    assertThat(link(machine, "GPU0", "0102:00:00.0")).isEqualTo(Link.SYS);
    assertThat(link(machine, "GPU0", "GPU1")).isEqualTo(Link.SYS);
  }

  @Test
  void readsWhatAJobWrote() {
    Topology machine = NcclXml.read(JOB);
    assertThat(machine.gpus())
        .extracting(Device::name, Device::pci)
        .containsExactly(tuple("GPU1", "0000:0f:00.0"), tuple("GPU0", "0000:0b:00.0"));
    Device one = device(machine, "GPU0");
    Device other = device(machine, "GPU1");
    assertThat(machine.link(one, other)).isEqualTo(Link.NV);
    assertThat(machine.details().links().nvlinks(one, other)).isEqualTo(12);
    assertThat(machine.devices(Device.Kind.NIC))
        .extracting(Device::name, nic -> nic.fact("rateGbps").orElse(""))
        .containsExactly(tuple("mlx5_0", "200"), tuple("mlx5_1", "100"));
    assertThat(link(machine, "GPU0", "mlx5_1")).isEqualTo(Link.PIX);
    assertThat(machine.details().notes())
        .anyMatch(note -> note.contains("several hosts"))
        .anyMatch(note -> note.contains("through TCP"))
        .anyMatch(note -> note.contains("a job wrote"));
  }

  @Test
  void readsAmdGpusOfRccl() {
    Topology machine =
        NcclXml.read(
            """
            <system version="2">
              <cpu numaid="0" affinity="f">
                <pci busid="0000:05:00.0" class="0x120000" vendor="0x1002">
                  <gpu dev="0" gcn="gfx942" rank="0">
                    <xgmi target="0000:15:00.0" count="1" tclass="0x120000"/>
                  </gpu>
                </pci>
                <pci busid="0000:15:00.0" class="0x120000" vendor="0x1002">
                  <gpu dev="1" gcn="gfx942" rank="1"/>
                </pci>
              </cpu>
            </system>
            """);
    assertThat(machine.gpus()).extracting(Device::vendor).containsExactly("1002", "1002");
    assertThat(link(machine, "GPU0", "GPU1")).isEqualTo(Link.NV);
    assertThat(machine.details().notes()).anyMatch(note -> note.contains("XGMI"));
  }

  @Test
  void saysWhichNodeHasNoCpus() {
    Topology machine =
        NcclXml.read("<system><cpu numaid='0' affinity='3'/><cpu numaid='1'/></system>");
    assertThat(machine.numaNodes()).hasSize(2);
    assertThat(machine.details().notes()).anyMatch(note -> note.contains("CPUs of NUMA node 1"));
  }

  @Test
  void wrongFilesSayWhatIsWrong() {
    for (List<String> wrong :
        List.of(
            List.of("<graphs version='1'/>", "NCCL_TOPO_DUMP_FILE"),
            List.of("<system/>", "0 <cpu> elements"),
            List.of("<system><cpu numaid='0'/></system>", "no <cpu> has an affinity"),
            List.of("<system>\n<cpu numaid='x' affinity='1'/></system>", "line 2: numaid 'x'"),
            List.of("<system><cpu numaid='0' affinity='xyz'/></system>", "line 1: affinity"),
            List.of(
                "<system><cpu numaid='0' affinity='1'/><cpu numaid='0' affinity='2'/></system>",
                "two <cpu>"),
            List.of(
                "<system><cpu numaid='0' affinity='1'>\n<pci class='0x030200'/></cpu></system>",
                "line 2: busid ''"))) {
      assertThatThrownBy(() -> NcclXml.read(wrong.getFirst()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong.getLast());
    }
  }

  @Test
  void everyPrefixAndEveryFlippedCharacterIsAMachineOrASentence() {
    Random random = new Random(43);
    int read = 0;
    for (String whole : List.of(MACHINE, JOB)) {
      for (int i = 0; i < 2 * whole.length(); i++) {
        StringBuilder text = new StringBuilder(whole);
        if (i < whole.length()) {
          text.setLength(i);
        } else {
          text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
        }
        try {
          assertThat(TopologyReader.read(text.toString()).cpus().isEmpty()).isFalse();
          read++;
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageMatching("(?s).{10,}");
        }
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void aFileWithTooManyDevicesIsRefused() {
    StringBuilder text = new StringBuilder("<system><cpu numaid='0' affinity='1'>");
    for (int i = 0; i < 2_000; i++) {
      text.append("<pci busid='0000:00:00.0' class='0x020700'/>");
    }
    text.append("</cpu></system>");
    assertThatThrownBy(() -> NcclXml.read(text.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 1024 devices");
  }

  private static Link link(Topology machine, String one, String other) {
    return machine.link(device(machine, one), device(machine, other));
  }

  private static Device device(Topology machine, String name) {
    return machine.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
