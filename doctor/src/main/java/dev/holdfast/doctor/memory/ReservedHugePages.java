package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Memory set aside as huge pages that nobody uses. */
public final class ReservedHugePages implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.hugepages.reserved",
              "Is no large part of memory set aside for huge pages nobody uses?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(MemoryInfo.PATH + " HugePages_Total, HugePages_Free, Hugetlb")
          .meaning(
              "Reserved huge pages serve only programs that ask for them by name; data loaders and"
                  + " the page cache run out while this memory lies idle.")
          .remedy(
              "sysctl vm.nr_hugepages=0, and take it out of sysctl.conf and the kernel arguments")
          .limit("share", 10, "% of memory", "own choice");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    MemoryInfo memory = MemoryInfo.of(exam.node());
    Bytes total = memory.require("MemTotal");
    Bytes size = memory.require("Hugepagesize");
    long pages = memory.require("HugePages_Total").count();
    long free = memory.require("HugePages_Free").count();
    Bytes unused = Bytes.of(free * size.count());
    if (unused.count() * 100.0 > exam.limit("share") * total.count()) {
      exam.warning(exam.here(), unused + " of memory are reserved as huge pages and unused")
          .evidence(MemoryInfo.PATH + " HugePages_Total", pages)
          .evidence(MemoryInfo.PATH + " HugePages_Free", free)
          .evidence(MemoryInfo.PATH + " Hugepagesize", size);
    } else {
      exam.pass(pages + " reserved, " + free + " of them free");
    }
  }
}
