package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.NodeView;
import java.util.List;

/** Settings of the kernel that change how fast or how surely a job trains. */
final class SettingFacts {
  private static final String HUGE = "/sys/kernel/mm/transparent_hugepage/";
  static final List<String> KERNEL =
      List.of(
          "vm.swappiness",
          "vm.overcommit_memory",
          "vm.zone_reclaim_mode",
          "vm.max_map_count",
          "vm.nr_hugepages",
          "kernel.numa_balancing",
          "kernel.pid_max",
          "kernel.unprivileged_userns_clone",
          "kernel.yama.ptrace_scope",
          "net.core.rmem_max",
          "net.core.wmem_max",
          "net.core.somaxconn",
          "net.core.netdev_max_backlog",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem",
          "net.ipv4.tcp_congestion_control",
          "net.ipv4.tcp_mtu_probing",
          "net.ipv4.conf.all.arp_ignore",
          "net.ipv4.conf.all.arp_announce",
          "net.ipv4.conf.all.rp_filter");

  private SettingFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    sheet.file("processor.governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    sheet.file("processor.threads.per.core", "/sys/devices/system/cpu/smt/control");
    sheet.add("memory.hugepages.transparent", chosen(node, HUGE + "enabled"), "", HUGE + "enabled");
    sheet.add("memory.hugepages.defrag", chosen(node, HUGE + "defrag"), "", HUGE + "defrag");
    if (!node.list("/sys/class").isEmpty()) {
      boolean on = !node.list("/sys/class/iommu").isEmpty();
      sheet.add("kernel.iommu", on ? "on" : "off", "", "/sys/class/iommu");
    }
    for (String name : KERNEL) {
      sheet.file("sysctl." + name, "/proc/sys/" + name.replace('.', '/'));
    }
  }

  /** The word in brackets: {@code always [madvise] never}. */
  private static String chosen(NodeView node, String path) {
    String choices = node.text(path).orElse("");
    int open = choices.indexOf('[');
    int close = choices.indexOf(']', open + 1);
    return open < 0 || close < 0 ? choices : choices.substring(open + 1, close);
  }
}
