package dev.holdfast.doctor.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlankingTest {
  private static final byte[] KEY = {1, 2, 3};

  private static Map<String, String> blank(Blanking blanking, String... namesAndTexts) {
    Map<String, String> members = new TreeMap<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      members.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    return blanking.apply(members, KEY);
  }

  private static String blanked(String text) {
    return blank(Blanking.ALL, "root/x", text).getOrDefault("root/x", "");
  }

  @Test
  void serialsAreReplacedByValueWhereverTheyOccur() {
    Map<String, String> node =
        blank(
            Blanking.ALL,
            "about",
            "node=n1\n",
            "root/sys/class/dmi/id/product_serial",
            "S452392X3A07654\n",
            "probe/nvml",
            "gpu.0.serial=1652823055648\ngpu.0.uuid=GPU-5c35a6f1-1111-2222-3333-a0b1c2d3e4f5\n",
            "probe/kernel-log",
            "board S452392X3A07654 gpu GPU-5c35a6f1-1111-2222-3333-a0b1c2d3e4f5 1652823055648\n",
            "listings",
            "/dev/disk/by-id\tnvme-X_S452392X3A07654\n");
    assertThat(node.toString())
        .doesNotContain("S452392X3A07654", "1652823055648", "5c35a6f1", "a0b1c2d3e4f5");
    String serial = node.getOrDefault("root/sys/class/dmi/id/product_serial", "").strip();
    assertThat(serial).matches("serial-[0-9a-f]{10}");
    String gpu = node.getOrDefault("probe/nvml", "").split("uuid=")[1].strip();
    assertThat(gpu).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    assertThat(node.get("probe/kernel-log")).contains(serial, gpu);
    assertThat(node.get("listings")).isEqualTo("/dev/disk/by-id\tnvme-X_" + serial + "\n");
    assertThat(node.get("about")).isEqualTo("node=n1\nblanked=serials and secrets\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "To be filled by O.E.M.\n",
        "Not Specified\n",
        "Default string\n",
        "None\n",
        "0000000\n",
        "\n"
      })
  void placeholdersOfSerialsStay(String text) {
    String path = "root/sys/class/dmi/id/board_serial";
    assertThat(blank(Blanking.ALL, path, text).get(path)).isEqualTo(text);
  }

  @Test
  void aShortSerialIsBlankedInItsFileButNotInCountersThatLookLikeIt() {
    Map<String, String> node =
        blank(
            Blanking.ALL,
            "root/sys/class/dmi/id/product_serial",
            "65536\n",
            "root/proc/sys/kernel/pid_max",
            "65536\n");
    assertThat(node.get("root/sys/class/dmi/id/product_serial")).startsWith("serial-");
    assertThat(node.get("root/proc/sys/kernel/pid_max")).isEqualTo("65536\n");
  }

  @Test
  void adapterAddressesKeepTheirMakerAndTheirRelations() {
    String text = blanked("94:6d:ae:08:0a:08 fe80:0000:0000:0000:966d:aeff:fe08:0a08\n");
    assertThat(text).startsWith("94:6d:ae:").doesNotContain("08:0a:08", "08:0a08");
    String ending = text.substring(9, 17).replace(":", "");
    assertThat(text.replace(":", "").strip()).endsWith(ending);
    assertThat(text).contains("fe80:0000:0000:0000:966d:aeff:fe");
    String guid = blanked("a088:c203:0000:1000");
    assertThat(guid).startsWith("a088:c203:00").isNotEqualTo("a088:c203:0000:1000");
    assertThat(blanked("fe80:0000:0000:0000:a088:c203:0000:1000"))
        .isEqualTo("fe80:0000:0000:0000:" + guid);
    assertThat(blanked("node_guid: 0xa088c20300001000").replace(":", ""))
        .isEqualTo("node_guid 0x" + guid.replace(":", ""));
    assertThat(blank(Blanking.ALL, "root/sys/class/net/enx946dae080a08/mtu", "9000\n").keySet())
        .allMatch(name -> name.matches("root/sys/class/net/enx946dae[0-9a-f]{6}/mtu"))
        .noneMatch(name -> name.contains("080a08"));
    String hardware = "00:00:10:49:fe:80:00:00:00:00:00:00:a0:88:c2:03:00:00:10:00";
    assertThat(blanked(hardware).replace(":", "")).endsWith(guid.replace(":", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00:00:00:00:00:00",
        "ff:ff:ff:ff:ff:ff",
        "0000:0000:0000:0000",
        "0000:0000:0000:0000:0000:0000:0000:0000",
        "0000:0000:0000:0000:0000:ffff:0a01:0011",
        "00000000-0000-0000-0000-000000000000",
        "0000:3b:00.0",
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.",
        "nfs 10.1.2.3:/export addr=192.168.1.9",
        "MLNX_OFED_LINUX-5.8-4.1.5.0",
        "vbios 96.00.61.00.01 firmware 28.39.1002",
        "0x00000000fb000000 0x00000000fbffffff 0x0000000000040200",
        "STATUS 0xbd80000000100134 MISC 0x8c",
        "12:34:56 2026-01-01T12:00:00Z",
        "MemTotal:       2113461460 kB",
        "SecPageTables:         12 kB"
      })
  void whatIsNoIdentifierStays(String text) {
    assertThat(blanked(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ro password=hunter2 quiet | ro password=(blanked) quiet",
        "luks.token=abc123 splash | luks.token=(blanked) splash",
        "//fs/x /mnt cifs user=a,password=b,vers=3 | //fs/x /mnt cifs user=a,password=(blanked),vers=3",
        "mon1:/ /ceph ceph name=x,secret=AQBx== 0 | mon1:/ /ceph ceph name=x,secret=(blanked) 0",
        "{\"api_key\": \"abc\", \"n\": 1} | {\"api_key\": \"(blanked)\", \"n\": 1}",
        "proxy http://joe:pw@proxy:3128/ | proxy http://(blanked)@proxy:3128/",
        "train.py --wandb-api-key 0123abc -v | train.py --wandb-api-key (blanked) -v",
        "Authorization: Bearer abcdefgh123 | Authorization: Bearer (blanked)",
        "id AKIAIOSFODNN7EXAMPLE | id (blanked)",
        "hub hf_abcdefghijklmnopqrstuvwx | hub (blanked)",
      })
  void secretsAreBlanked(String text, String expected) {
    assertThat(blanked(text)).isEqualTo(expected);
  }

  @Test
  void privateKeysAndEnvironmentsAreBlankedWhole() {
    assertThat(blanked("a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb"))
        .isEqualTo("a\n(blanked)\nb");
    String environ = "root/proc/1/environ";
    assertThat(blank(Blanking.ALL, environ, "HOME=/root\0X=y").get(environ))
        .isEqualTo("HOME=(blanked)\nX=(blanked)");
  }

  @Test
  void publicAddressesOfServersAreReplaced() {
    assertThat(blanked("8.8.4.4:/export addr=8.8.4.4"))
        .doesNotContain("addr=8.8.4.4")
        .contains("addr=198.1");
  }

  @Test
  void eachKindCanBeKept() {
    String text = "serial=1652823055648 password=x\n";
    assertThat(blank(new Blanking(false, true), "root/x", text).get("root/x"))
        .isEqualTo("serial=1652823055648 password=(blanked)\n");
    assertThat(blank(new Blanking(true, false), "root/x", text).get("root/x"))
        .startsWith("serial=serial-")
        .endsWith(" password=x\n");
    assertThat(new Blanking(false, false).words()).isEqualTo("nothing");
  }

  @Test
  void snapshotsDoNotShareStandIns() {
    Map<String, String> members = Map.of("root/x", "GPU-5c35a6f1-1111-2222-3333-a0b1c2d3e4f5");
    assertThat(Blanking.ALL.apply(members)).isNotEqualTo(Blanking.ALL.apply(members));
  }

  @Test
  void theSerialInPciConfigurationSpaceIsReplacedAndTheRestStays() {
    String before = "00".repeat(0x100) + "01000115" + "00".repeat(76);
    // A list of two: advanced error reporting at 0x100, the serial number at 0x150.
    String serial = "03000100" + "0123456789abcdef";
    String text = before + serial + "ff".repeat(8) + "\n";
    String path = "probe/pci-config/0000:3b:00.0";
    String blanked = blank(Blanking.ALL, path, text).get(path);
    assertThat(blanked).hasSameSizeAs(text).startsWith(before + "03000100").endsWith("ff\n");
    assertThat(blanked).doesNotContain("0123456789abcdef");
    assertThat(blank(Blanking.ALL, path, "garbage").get(path)).isEqualTo("garbage");
  }
}
