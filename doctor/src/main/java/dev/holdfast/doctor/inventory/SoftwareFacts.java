package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.software.Installed;
import dev.holdfast.doctor.software.Libraries;
import dev.holdfast.doctor.software.Variables;
import java.util.Optional;

/** Drivers, libraries and frameworks, each by the version its own files tell. */
final class SoftwareFacts {
  private SoftwareFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    Variables variables = Variables.of(node);
    Installed installed = Installed.on(node, variables);
    installed
        .toolkits()
        .forEach(
            toolkit -> {
              if (toolkit.chosen()) {
                sheet.add("cuda.version", toolkit.version(), "", toolkit.source());
              }
            });
    library(sheet, node, variables, "nccl.version", "libnccl.so");
    library(sheet, node, variables, "cudnn.version", "libcudnn.so");
    library(sheet, node, variables, "container.toolkit.version", "libnvidia-container.so");
    sheet.file("ofed.version", "/sys/module/mlx5_core/version");
    installed
        .packages()
        .forEach((name, found) -> sheet.add(name + ".version", found.version(), "", found.path()));
    sheet.add(
        "cann.version",
        installed.cann().map(cann -> cann.version().toString()),
        installed.cann().map(Libraries.Found::path).orElse(""));
    packages(sheet, node);
  }

  private static void library(
      FactSheet sheet, NodeView node, Variables variables, String name, String library) {
    Optional<Libraries.Found> found = Libraries.find(node, variables, library).stream().findFirst();
    found.ifPresent(file -> sheet.add(name, file.version(), "", file.path()));
  }

  /** Versions only the package database knows: {@code name TAB version} a line. */
  private static void packages(FactSheet sheet, NodeView node) {
    for (String line : node.probe("packages").text().orElse("").split("\n")) {
      String[] fields = line.split("\t");
      if (fields.length == 2) {
        sheet.add("package." + fields[0].strip() + ".version", fields[1], "", "probe packages");
      }
    }
  }
}
