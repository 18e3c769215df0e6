package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether adapters of the same board run the same firmware. */
public final class NicFirmwareUniform implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.firmware.uniform",
              "Do all adapters of one kind run the same firmware?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("/sys/class/infiniband/*/fw_ver", "/sys/class/infiniband/*/board_id")
          .meaning(
              "Firmware decides congestion control, retransmission and known bugs. Mixed versions"
                  + " make one rail behave unlike the others, and faults that follow it are hard"
                  + " to find.")
          .remedy(
              "Bring the odd one to the others' version: mlxfwmanager --online -u, then reboot");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, List<RdmaPort>> boards = new TreeMap<>();
    TreeSet<String> devices = new TreeSet<>();
    for (RdmaPort port : RdmaDevices.require(exam.node())) {
      String board = exam.node().text(port.devicePath("board_id")).orElse("");
      if (firmware(port).isEmpty() || board.isEmpty()) {
        exam.skip("an adapter does not tell its firmware");
      } else if (devices.add(port.device())) {
        boards.computeIfAbsent(board, _ -> new ArrayList<>()).add(port);
      }
    }
    boards.forEach((board, ports) -> judge(exam, board, ports));
  }

  private static String firmware(RdmaPort port) {
    return port.node().text(port.devicePath("fw_ver")).orElse("");
  }

  private static void judge(Examination exam, String board, List<RdmaPort> ports) {
    TreeSet<String> versions = new TreeSet<>(ports.stream().map(p -> firmware(p)).toList());
    if (versions.size() == 1) {
      exam.pass(ports.size() + " × " + board + " on " + versions.first());
      return;
    }
    String usual = RdmaDevices.majority(ports, p -> firmware(p)).orElse("");
    if (usual.isEmpty()) {
      var draft =
          exam.warning(
              exam.here(),
              "%d adapters of board %s run %d firmware versions: %s"
                  .formatted(ports.size(), board, versions.size(), String.join(", ", versions)));
      ports.forEach(port -> draft.evidence(port.devicePath("fw_ver"), firmware(port)));
      return;
    }
    for (RdmaPort port : ports) {
      if (!firmware(port).equals(usual)) {
        exam.warning(
                port.subject(),
                "firmware %s, while most adapters of board %s run %s"
                    .formatted(firmware(port), board, usual))
            .evidence(port.devicePath("fw_ver"), firmware(port))
            .evidence(port.devicePath("board_id"), board)
            .evidence("most adapters of this board", usual)
            .remedy(
                port.pciAddress()
                    .map(address -> "mlxfwmanager -d " + address + " -u; then reboot the node")
                    .orElse("Update its firmware to " + usual));
      }
    }
  }
}
