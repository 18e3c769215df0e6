package dev.holdfast.doctor.accelerator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class AmdFactsTest {
  private static final String FOLDER = "/sys/bus/pci/devices/0000:05:00.0/";

  private static TestNode instinct() {
    return new TestNode()
        .file(FOLDER + "vendor", "0x1002\n")
        .file(FOLDER + "device", "0x74a1\n")
        .file(FOLDER + "class", "0x120000\n")
        .link(FOLDER + "driver", "../../../../bus/pci/drivers/amdgpu");
  }

  private static Accelerator only(TestNode node) {
    return new Accelerators(node.node()).require().getFirst();
  }

  @Test
  void namesTheProductByItsNumberWhenTheBoardDoesNot() {
    assertThat(only(instinct()).model()).isEqualTo("Instinct MI300X");
    assertThat(only(instinct().file(FOLDER + "product_name", "AMD Instinct MI300X OAM\n")).model())
        .isEqualTo("AMD Instinct MI300X OAM");
  }

  @Test
  void addsUpTheErrorsOfTheChipApartFromThoseOfTheMemory() {
    Accelerator device =
        only(
            instinct()
                .file(FOLDER + "ras/umc_err_count", "ue: 1\nce: 7\nde: 0\n")
                .file(FOLDER + "ras/gfx_err_count", "ue: 2\nce: 0\n")
                .file(FOLDER + "ras/sdma_err_count", "ue: 3\nce: 0\n"));
    assertThat(device.number("ecc.volatile.uncorrected.dram")).hasValue(1);
    assertThat(device.number("ecc.volatile.corrected.dram")).hasValue(7);
    assertThat(device.number("ecc.volatile.uncorrected.sram")).hasValue(5);
  }

  @Test
  void readsSensorsClocksAndLink() {
    Accelerator device =
        only(
            instinct()
                .file(FOLDER + "hwmon/hwmon4/temp2_label", "junction\n")
                .file(FOLDER + "hwmon/hwmon4/temp2_input", "41000\n")
                .file(FOLDER + "hwmon/hwmon4/temp2_crit", "100000\n")
                .file(FOLDER + "hwmon/hwmon4/power1_cap", "750000000\n")
                .file(FOLDER + "pp_dpm_sclk", "0: 132Mhz *\n1: 2100Mhz\n")
                .file(FOLDER + "max_link_speed", "32.0 GT/s PCIe\n"));
    assertThat(device.number("temperature.core.celsius")).hasValue(41);
    assertThat(device.number("temperature.limit.maximum.celsius")).hasValue(100);
    assertThat(device.number("power.enforced.watts")).hasValue(750);
    assertThat(device.number("clock.sm.mhz")).hasValue(132);
    assertThat(device.number("clock.sm.maximum.mhz")).hasValue(2100);
    assertThat(device.number("pci.generation.slot")).hasValue(5);
  }

  @Test
  void garbageIsNoFact() {
    Accelerator device =
        only(
            instinct()
                .file(FOLDER + "ras/umc_err_count", "ue: many\nce:\n\u0000\n")
                .file(FOLDER + "pp_dpm_sclk", "*:Mhz:\n: Mhz *\n")
                .file(FOLDER + "current_link_speed", "Unknown\n"));
    assertThat(device.number("ecc.volatile.uncorrected.dram")).isEmpty();
    assertThat(device.number("clock.sm.mhz")).isEmpty();
    assertThat(device.number("pci.generation.current")).isEmpty();
  }

  @Test
  void theGraphicsOfADesktopIsNoAccelerator() {
    TestNode node =
        instinct().file(FOLDER + "class", "0x030000\n").file(FOLDER + "device", "0x164e\n");
    assertThat(new Accelerators(node.node()).all()).isEmpty();
    assertThat(new Accelerators(node.node()).slots()).isEmpty();
  }
}
