package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.OptionalLong;

/**
 * Whether a process may lock as much memory as RDMA pins.
 *
 * <p>The least anyone pins is one default write test: send and receive buffer of one message, for
 * each queue pair and flow, rounded up to cache lines and pages (2 × 64 KiB = 128 KiB). A limit
 * below that fails at once. A finite limit above it fails later, when a collective registers its
 * buffers. Root is exempt, but not root of a user namespace: the kernel asks for CAP_IPC_LOCK in
 * the first one.
 */
public final class RdmaMemlock implements Check {
  private static final String LIMITS = "/proc/self/limits";
  private static final String ROW = "Max locked memory";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "rdma.memlock",
              "May a process here lock as much memory as RDMA pins?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(LIMITS, "/proc/self/status", "/proc/self/uid_map")
          .meaning(
              "RDMA pins its buffers in memory. Above the limit registration fails ('Couldn't"
                  + " allocate MR', ibv_reg_mr: cannot allocate memory) and the job dies at start.")
          .remedy(
              "Container: --ulimit memlock=-1. Slurm: LimitMEMLOCK=infinity in slurmd's unit and"
                  + " PropagateResourceLimitsExcept=MEMLOCK. Host: '* - memlock unlimited' in"
                  + " /etc/security/limits.d")
          .limit("message", 65536, "bytes", "perftest: default size of the bandwidth tests")
          .limit("pairs", 1, "queue pairs", "perftest: default")
          .limit("flows", 1, "flows", "perftest: default")
          .limit(
              "comfortable",
              1L << 30,
              "bytes",
              "ours: buffers of a large collective staged through host memory");

  private static final long PAGE = 4096;
  private static final long CACHE_LINE = 64;
  private static final int LOCK_MEMORY = 14;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    RdmaDevices.require(exam.node());
    String row = row(exam.node().require(LIMITS));
    OptionalLong soft = soft(row);
    long needed =
        needed(
            (long) exam.limit("message"), (long) exam.limit("pairs"), (long) exam.limit("flows"));
    if (row.contains("unlimited") && soft.isEmpty()) {
      exam.pass("unlimited");
    } else if (soft.isEmpty()) {
      exam.skip(LIMITS + " has no limit of locked memory");
    } else if (exempt(exam)) {
      exam.pass(
          Bytes.of(soft.getAsLong()) + ", but CAP_IPC_LOCK is held and the limit does not bind");
    } else if (soft.getAsLong() < needed) {
      exam.fatal(
              exam.here(),
              "only %s may be locked; one RDMA test already pins %s"
                  .formatted(Bytes.of(soft.getAsLong()), Bytes.of(needed)))
          .evidence(LIMITS, row)
          .evidence("2 × message × queue pairs × flows, in pages", needed + " bytes");
    } else if (soft.getAsLong() < exam.limit("comfortable")) {
      exam.warning(
              exam.here(),
              "only %s may be locked: enough for a test, not for a large collective"
                  .formatted(Bytes.of(soft.getAsLong())))
          .evidence(LIMITS, row);
    } else {
      exam.pass(Bytes.of(soft.getAsLong()).toString());
    }
  }

  /** What a test of this shape pins, rounded up to cache lines and then to pages. */
  static long needed(long message, long pairs, long flows) {
    long lines = roundUp(message, CACHE_LINE) * 2 * pairs * flows;
    return roundUp(lines, PAGE);
  }

  private static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  private static String row(String limits) {
    return limits.lines().filter(line -> line.startsWith(ROW)).findFirst().orElse("");
  }

  /** The limit that binds, the first of the two; nothing when unlimited. */
  private static OptionalLong soft(String row) {
    if (row.length() <= ROW.length()) {
      return OptionalLong.empty();
    }
    try {
      String first = row.substring(ROW.length()).strip().split("\\s+", 2)[0];
      return OptionalLong.of(Long.parseLong(first));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static boolean exempt(Examination exam) {
    String mask =
        exam.node()
            .read("/proc/self/status")
            .text()
            .orElse("")
            .lines()
            .filter(line -> line.startsWith("CapEff:"))
            .findFirst()
            .map(line -> line.substring(7).strip())
            .orElse("0");
    boolean firstNamespace =
        exam.node()
            .text("/proc/self/uid_map")
            .map(map -> map.strip().split("\\s+"))
            .filter(map -> map.length == 3 && map[0].equals("0") && map[1].equals("0"))
            .isPresent();
    try {
      return firstNamespace && (Long.parseUnsignedLong(mask, 16) >>> LOCK_MEMORY & 1) == 1;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
