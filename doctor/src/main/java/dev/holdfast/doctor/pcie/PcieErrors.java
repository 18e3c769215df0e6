package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether PCIe devices report errors (Advanced Error Reporting), and whether they grow. */
public final class PcieErrors implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.errors",
              "Are the PCIe links of GPUs, NICs and drives free of errors?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/bus/pci/devices/*/aer_dev_fatal",
              "/sys/bus/pci/devices/*/aer_dev_nonfatal",
              "/sys/bus/pci/devices/*/aer_dev_correctable")
          .meaning(
              "A fatal error resets the link and loses the device; corrected errors are transfers"
                  + " done twice, and their growth announces the link that will fail.")
          .remedy(
              "Drain the node, reseat the card or riser, update its firmware; if they come back,"
                  + " replace the part")
          .limit(
              "correctable",
              31,
              "per minute",
              "DCGM replay limit of a Gen5 x16 link at bit error rate 1e-12")
          .limit("nonfatal", 0, "per minute", "ours: an uncorrectable transfer was lost");

  private static final Duration WINDOW = Duration.ofHours(1);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    PciDevices devices = PciDevices.read(exam.node());
    int sound = 0;
    int reporting = 0;
    for (PciDevice device : devices.requireOfInterest()) {
      if (total(device, "fatal").isPresent()) {
        reporting++;
        boolean dead = fatal(exam, devices, device);
        boolean lossy = grows(exam, devices, device, "nonfatal", "uncorrected");
        boolean noisy = grows(exam, devices, device, "correctable", "corrected");
        sound += dead || lossy || noisy ? 0 : 1;
      }
    }
    if (sound > 0) {
      exam.pass(sound + " devices without fatal errors or known growth of others");
    } else if (reporting == 0) {
      exam.skip("no device reports PCIe errors (Advanced Error Reporting is off or not visible)");
    }
  }

  private static boolean fatal(Examination exam, PciDevices devices, PciDevice device) {
    long count = total(device, "fatal").orElse(0);
    if (count > 0) {
      exam.fatal(
              device.subject(),
              "%d fatal PCIe errors of %s since boot".formatted(count, name(devices, device)))
          .evidence(device.path("aer_dev_fatal"), named(device, "fatal"));
    }
    return count > 0;
  }

  /** Whether a count grew faster than its limit; without history nobody knows. */
  private static boolean grows(
      Examination exam, PciDevices devices, PciDevice device, String kind, String word) {
    OptionalLong value = total(device, kind);
    if (value.isEmpty()) {
      return false;
    }
    Optional<Change> change =
        exam.change("pcie/" + device.address() + "/" + kind, value.getAsLong(), WINDOW);
    if (change.isEmpty() || !tooFast(change.get(), exam.limit(kind))) {
      return false;
    }
    exam.degraded(
            device.subject(),
            "%d %s PCIe errors of %s in %s"
                .formatted(
                    change.get().increase(),
                    word,
                    name(devices, device),
                    Durations.show(change.get().elapsed())))
        .evidence(device.path("aer_dev_" + kind), named(device, kind))
        .evidence("growth in " + Durations.show(change.get().elapsed()), change.get().increase());
    return true;
  }

  private static boolean tooFast(Change slope, double perMinute) {
    return slope.increase() > perMinute * Math.max(1, slope.elapsed().toSeconds() / 60.0);
  }

  private static String name(PciDevices devices, PciDevice device) {
    return device.bridge()
        ? "the bridge above " + devices.below(device)
        : "the " + device.kind() + " " + device.address();
  }

  /** The sum the kernel writes in the last row, or the sum of the rows. */
  static OptionalLong total(PciDevice device, String kind) {
    Optional<String> text = device.node().text(device.path("aer_dev_" + kind));
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    long sum = 0;
    for (String row : text.get().split("\n")) {
      int space = row.lastIndexOf(' ');
      try {
        long value = Long.parseLong(row.substring(space + 1).strip());
        if (row.startsWith("TOTAL_")) {
          return OptionalLong.of(value);
        }
        sum += value;
      } catch (NumberFormatException e) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(sum);
  }

  /** Only the rows that count something: {@code BadTLP 12, Timeout 3}. */
  private static String named(PciDevice device, String kind) {
    StringBuilder rows = new StringBuilder();
    for (String row : device.node().text(device.path("aer_dev_" + kind)).orElse("").split("\n")) {
      if (!row.endsWith(" 0") && !row.startsWith("TOTAL_")) {
        rows.append(rows.isEmpty() ? "" : ", ").append(row.strip());
      }
    }
    return rows.isEmpty() ? "none" : rows.toString();
  }
}
