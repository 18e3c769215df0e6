package dev.holdfast.core.topology;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A machine of whose GPUs only some may be used. */
public final class GpuChoice {
  private GpuChoice() {}

  /**
   * Leaves only the GPUs of a list as CUDA_VISIBLE_DEVICES has it: numbers or the beginnings of
   * UUIDs. A word that means no GPU, often -1, ends the list: CUDA hides what follows it.
   */
  public static Topology keep(Topology machine, String list) {
    Set<String> wanted =
        Stream.of(list.split(","))
            .map(String::strip)
            .takeWhile(word -> machine.gpus().stream().anyMatch(gpu -> means(word, gpu)))
            .collect(Collectors.toSet());
    Set<Part> hidden =
        machine.gpus().stream()
            .filter(gpu -> wanted.stream().noneMatch(word -> means(word, gpu)))
            .map(Device::part)
            .collect(Collectors.toSet());
    return hidden.isEmpty() ? machine : machine.withRoot(without(machine.root(), hidden));
  }

  private static boolean means(String word, Device gpu) {
    boolean uuid = word.startsWith("GPU-") && gpu.fact("uuid").orElse("").startsWith(word);
    return word.equals(gpu.id()) || uuid;
  }

  private static Part without(Part part, Set<Part> hidden) {
    Part.Builder fresh = part.toBuilder().clear().addAll(part.memory());
    part.children().forEach(child -> fresh.add(without(child, hidden)));
    part.io().stream()
        .filter(child -> !hidden.contains(child))
        .forEach(child -> fresh.add(without(child, hidden)));
    return fresh.build();
  }
}
