package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which events explain which, and what do several together mean? A code read alone misleads: Xid 45
 * is the echo of another fault, 63 after 48 turns a reset into a drain and reset, 13 on many GPUs
 * is the program while 13 at one place of one GPU is the GPU. The rules are those the vendor
 * publishes as workflows; the driver's own verdict (Xid 154) comes last but one and overrides their
 * action, and a fault that returned within a day overrides even that.
 */
final class Relations {
  /** How far apart a cause and its echo are logged at most. */
  static final Duration TOGETHER = Duration.ofMinutes(5);

  private static final Duration DAY = Duration.ofHours(24);
  private static final int CONTAINED_LIMIT = 3;

  /** Rules whose line only says more about one of these. */
  private static final Map<String, Set<String>> ECHOES =
      Map.of(
          "oom.killed", Set.of("oom.host", "oom.cgroup"),
          "amdgpu.ras.logged",
              Set.of("amdgpu.ras.uncorrected", "amdgpu.ras.deferred", "amdgpu.ras.corrected"));

  private final List<Draft> drafts;
  private final Map<String, List<Draft>> byKey;

  private Relations(List<Draft> drafts) {
    this.drafts = drafts;
    this.byKey = drafts.stream().collect(Collectors.groupingBy(Draft::key));
  }

  /** Corrects the drafts in place. */
  static void settle(List<Draft> drafts) {
    Relations relations = new Relations(drafts);
    relations.memoryErrors();
    relations.echoes();
    relations.programOrDevice(13);
    relations.programOrDevice(31);
    RecoveryVerdict.apply(drafts);
    relations.returned();
  }

  /** 63, 64, 171 and 172 belong to 48; 94 is covered by 95; 94 again and again is hardware. */
  private void memoryErrors() {
    for (Draft fault : xids(48)) {
      for (Draft other : drafts) {
        if (other.isXid() && sameDevice(fault, other) && fault.near(other, TOGETHER)) {
          memoryDetail(fault, other);
        }
      }
    }
    for (Draft contained : xids(94)) {
      nearest(contained, other -> other.isXid(95)).ifPresent(contained::follow);
      if (contained.role == KernelEvent.Role.CAUSE && recent(contained) >= CONTAINED_LIMIT) {
        contained.raise(Severity.DEGRADED);
        contained.step = NextStep.CONTACT_VENDOR;
        contained.remedy =
            "Three or more within a day on this GPU: run the vendor's diagnostic. "
                + contained.remedy;
      }
    }
  }

  private static void memoryDetail(Draft fault, Draft other) {
    switch (other.number()) {
      case 63 -> {
        fault.step = NextStep.RESET_AT_DRAIN;
        fault.remedy =
            "A row remap was recorded (Xid 63): drain the node and reset the GPU so that it takes"
                + " effect.";
        other.follow(fault);
      }
      case 64 -> {
        fault.step = NextStep.CONTACT_VENDOR;
        fault.remedy =
            "The bad row could not be remapped (Xid 64): drain, reset, run the field diagnostic"
                + " and return the GPU.";
      }
      case 171, 172 -> {
        fault.meaning +=
            other.number() == 171
                ? " It was in device memory (Xid 171)."
                : " It was in on-chip SRAM (Xid 172), which has no spare rows.";
        other.follow(fault);
        other.role = KernelEvent.Role.DETAIL;
      }
      default -> {}
    }
  }

  /** 43 and 45 tell that a program was cleaned away; the reason is elsewhere. */
  private void echoes() {
    for (Draft echo : drafts) {
      if (echo.isXid(43) || echo.isXid(45)) {
        nearest(echo, other -> canCause(other, echo))
            .or(() -> switchFault(echo))
            .ifPresent(echo::follow);
      } else if (echo.rule.equals("gpu.fell-off-bus") || echo.rule.equals("gpu.lost")) {
        drafts.stream()
            .filter(other -> other.isXid(79) && echo.near(other, TOGETHER))
            .filter(other -> echo.device.isEmpty() || sameDevice(echo, other))
            .findFirst()
            .ifPresent(echo::follow);
      } else if (ECHOES.containsKey(echo.rule)) {
        Set<String> causes = ECHOES.getOrDefault(echo.rule, Set.of());
        drafts.stream()
            .filter(other -> causes.contains(other.rule) && echo.near(other, TOGETHER))
            .filter(other -> other.device.equals(echo.device))
            .findFirst()
            .ifPresent(echo::follow);
      }
    }
  }

  /** A fault of one program explains the end of that program only, a fault of the GPU all ends. */
  private static boolean canCause(Draft other, Draft echo) {
    return other.isXid()
        && !other.isXid(43)
        && !other.isXid(45)
        && !other.isXid(154)
        && (other.severity.atLeast(Severity.DEGRADED)
            || other.severity == Severity.WARNING && other.sharesProcess(echo));
  }

  private Optional<Draft> switchFault(Draft echo) {
    return drafts.stream()
        .filter(other -> other.rule.equals("sxid") && other.severity == Severity.FATAL)
        .filter(other -> echo.near(other, TOGETHER))
        .findFirst();
  }

  /**
   * 13 and 31: on several GPUs the program is at fault; again and again on one, perhaps the GPU. No
   * more than perhaps: a small faulty kernel lands on the same GPC and TPC in every run, as seen on
   * an H200.
   */
  private void programOrDevice(int code) {
    List<Draft> faults = xids(code);
    TreeSet<String> devices = new TreeSet<>();
    faults.forEach(fault -> devices.add(fault.device));
    for (Draft fault : faults) {
      if (devices.size() > 1) {
        fault.meaning +=
            " Seen on " + devices.size() + " GPUs, which points to the program, not to a GPU.";
      } else if (recent(fault) > 1 && (code != 13 || samePlace(faults))) {
        fault.faultClass = FaultClass.UNKNOWN;
        fault.step = NextStep.CONTACT_VENDOR;
        fault.meaning +=
            " It came back on this GPU alone"
                + (code == 13 ? ", at one place (" + fault.places.first() + ")" : "")
                + ". That may be the GPU, or the same program run again.";
        fault.remedy =
            "Try the program on another GPU. If it runs there, run the DCGM diagnostic on this one,"
                + " then the field diagnostic.";
      }
    }
  }

  /** Whether all these events name one and the same GPC and TPC. */
  private static boolean samePlace(List<Draft> faults) {
    TreeSet<String> places = new TreeSet<>();
    faults.forEach(fault -> places.addAll(fault.places));
    return places.size() == 1 && faults.stream().allMatch(fault -> fault.places.size() == 1);
  }

  /** A fault that a reset or reboot should have cured and that came back is hardware. */
  private void returned() {
    for (Draft fault : drafts) {
      boolean cured =
          fault.step == NextStep.RESET_GPU
              || fault.step == NextStep.REBOOT_NODE
              || fault.step == NextStep.RESET_AT_DRAIN;
      boolean again = fault.isXid() && !fault.isXid(154) && !fault.isXid(63) && recent(fault) > 1;
      boolean sameLink =
          fault.isXid(74)
              && (fault.kind.equals("ecc") && fault.count > 2
                  || fault.kind.equals("repeat") && fault.count > 1);
      if (cured && fault.role == KernelEvent.Role.CAUSE && (again || sameLink)) {
        fault.raise(Severity.FATAL);
        fault.step = NextStep.CONTACT_VENDOR;
        fault.remedy =
            "It came back within a day: take the part out of service and run the vendor's"
                + " diagnostic. Until then: "
                + fault.remedy;
      }
    }
  }

  /** How many events like this one the same device had within a day of it. */
  private long recent(Draft fault) {
    return byKey.getOrDefault(fault.key(), List.of()).stream()
        .filter(other -> other.near(fault, DAY))
        .count();
  }

  private List<Draft> xids(int code) {
    return drafts.stream().filter(draft -> draft.isXid(code)).toList();
  }

  private Optional<Draft> nearest(Draft draft, Predicate<Draft> wanted) {
    return drafts.stream()
        .filter(wanted)
        .filter(other -> sameDevice(draft, other) && draft.near(other, TOGETHER))
        .max(
            Comparator.comparing((Draft other) -> other.severity)
                .thenComparing(other -> -Math.abs(other.firstLine - draft.firstLine)));
  }

  private static boolean sameDevice(Draft one, Draft other) {
    return one.device.equals(other.device);
  }
}
