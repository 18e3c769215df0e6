package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.OptionalInt;

/**
 * Whether an adapter is missing.
 *
 * <p>With the site's word the count is compared; without it only an odd ratio is told: seven
 * adapters beside eight GPUs is no product, one of them is lost.
 */
public final class NicCount implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.count", "Are all RDMA adapters there?", FaultClass.HARDWARE, Proof.DOCUMENTED)
          .reads("/sys/class/infiniband", "expected nic.rdma.count")
          .meaning(
              "A rail that is missing is not an error to NCCL: it takes fewer adapters than its"
                  + " peers, and the job hangs at start or runs at the speed of the rest.")
          .remedy(
              "lspci -d 15b3: shows whether the card is on the bus; dmesg | grep mlx5 why its driver"
                  + " gave up; else power-cycle the node and reseat the card");

  private static final int FEW = 4;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<RdmaPort> ports = RdmaDevices.ports(exam.node());
    int devices = (int) ports.stream().map(RdmaPort::device).distinct().count();
    OptionalInt expected = expected(exam);
    if (expected.isPresent()) {
      compare(exam, devices, expected.getAsInt());
      return;
    }
    RdmaDevices.require(exam.node());
    int rails = RdmaDevices.kinds(ports).stream().mapToInt(List::size).max().orElse(0);
    List<Accelerator> gpus = exam.accelerators().all();
    if (gpus.size() >= FEW && rails >= 2 && rails < gpus.size() && gpus.size() % rails != 0) {
      exam.warning(
              exam.here(),
              "%d RDMA ports of one kind beside %d accelerators: one or more seem to be missing"
                  .formatted(rails, gpus.size()))
          .evidence("/sys/class/infiniband", devices + " devices")
          .evidence("accelerators", gpus.size());
    } else {
      exam.pass(devices + " RDMA devices, " + gpus.size() + " accelerators");
    }
  }

  private static OptionalInt expected(Examination exam) {
    try {
      return exam.site()
          .expected("nic.rdma.count")
          .map(text -> OptionalInt.of(Integer.parseInt(text.strip())))
          .orElse(OptionalInt.empty());
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  private static void compare(Examination exam, int devices, int expected) {
    if (devices < expected) {
      exam.fatal(exam.here(), "%d RDMA devices; the site expects %d".formatted(devices, expected))
          .evidence("/sys/class/infiniband", devices + " devices")
          .evidence("expected nic.rdma.count", expected);
    } else {
      exam.pass(devices + " RDMA devices; the site expects " + expected);
    }
  }
}
