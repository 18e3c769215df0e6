package dev.holdfast.os.nvml;

import dev.holdfast.os.testing.Compiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds stand-ins for the driver's library with the C compiler of the machine. */
final class FakeNvml {
  private FakeNvml() {}

  /** A library built with these definitions, such as {@code -DHANG="nvmlDeviceGetName"}. */
  static Path build(Path folder, String... definitions) {
    Compiler.source(FakeNvml.class, "nvml-structures.h", folder);
    Path source = Compiler.source(FakeNvml.class, "fake-nvml.c", folder);
    Path library = folder.resolve("libfake-nvml.so");
    List<String> arguments = new ArrayList<>(List.of("-shared", "-fPIC", "-O1", "-w"));
    arguments.addAll(List.of(definitions));
    arguments.addAll(List.of("-o", library.toString(), source.toString()));
    Compiler.compile(arguments);
    return library;
  }
}
