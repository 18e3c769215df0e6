package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.HwlocXml;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Restriction;
import dev.holdfast.core.topology.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every mapping that mpibind itself made for the machines in the shared data is made here too. */
class MpibindConformanceTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("../shared/data/mpibind");

  @TestFactory
  Stream<DynamicTest> mapsAsMpibindDoes() throws IOException {
    assumeTrue(Files.isDirectory(DATA), "the recorded mappings are not here: " + DATA.normalize());
    List<Path> files;
    try (Stream<Path> listing = Files.list(DATA.resolve("mappings"))) {
      files = listing.sorted().toList();
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(13);
    return files.stream()
        .map(
            file -> {
              String name = file.getFileName().toString().replace(".jsonl.gz", "");
              return DynamicTest.dynamicTest(name, () -> compare(name, file));
            });
  }

  private static void compare(String name, Path mappings) throws IOException {
    Topology machine =
        HwlocXml.read(Files.readString(DATA.resolve("topologies").resolve(name + ".xml")));
    List<String> wrong = new ArrayList<>();
    int count = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(mappings)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        count++;
        Map<String, Object> expected = Json.object(line);
        String difference = difference(machine, expected);
        if (!difference.isEmpty()) {
          wrong.add(line.substring(0, Math.min(120, line.length())) + "\n  " + difference);
        }
      }
    }
    assertThat(count).isGreaterThan(400);
    assertThat(wrong.stream().limit(5).toList())
        .as("%d of %d differ", wrong.size(), count)
        .isEmpty();
  }

  private static String difference(Topology whole, Map<String, Object> expected) {
    Topology machine = whole;
    if (expected.get("restr_set") instanceof String set) {
      Restriction.Of of =
          number(expected, "restr_type") == 0 ? Restriction.Of.CPUS : Restriction.Of.NODES;
      machine = new Restriction(of, IdSet.parse(set)).apply(whole);
    }
    List<TaskBinding> tasks =
        MemoryFirst.map(
            machine,
            new TaskRequest(
                number(expected, "ntasks"),
                number(expected, "in_nthreads"),
                number(expected, "smt"),
                number(expected, "greedy") != 0,
                number(expected, "gpu_optim") != 0));
    return differs(expected, "threads", tasks, task -> Integer.toString(task.threads()))
        + differs(expected, "cpus", tasks, task -> task.cpus().toString())
        + differs(expected, "gpus", tasks, task -> join(task, Device::id))
        + differs(expected, "gpus_pci", tasks, task -> join(task, Device::pci))
        + environment(machine, tasks, expected);
  }

  private static String differs(
      Map<String, Object> expected,
      String field,
      List<TaskBinding> tasks,
      Function<TaskBinding, String> form) {
    String actual = tasks.stream().map(form).collect(Collectors.joining(";"));
    String wanted = String.valueOf(expected.get(field));
    return actual.equals(wanted) ? "" : field + ": " + actual + " but mpibind: " + wanted + " ";
  }

  private static String environment(
      Topology machine, List<TaskBinding> tasks, Map<String, Object> expected) {
    TaskEnvironment environment = new TaskEnvironment(machine, tasks, Optional.empty());
    List<Map<String, String>> variables = tasks.stream().map(environment::mpibind).toList();
    Map<String, String> joined = new java.util.TreeMap<>();
    for (String name : variables.getFirst().keySet()) {
      joined.put(
          name, variables.stream().map(map -> map.get(name)).collect(Collectors.joining(";")));
    }
    Map<?, ?> wanted = (Map<?, ?>) expected.get("env");
    return joined.equals(wanted) ? "" : "env: " + joined + " but mpibind: " + wanted;
  }

  private static String join(TaskBinding task, Function<Device, String> form) {
    return task.gpus().stream().map(form).collect(Collectors.joining(","));
  }

  private static int number(Map<String, Object> map, String field) {
    return map.get(field) instanceof Long value ? value.intValue() : -1;
  }
}
