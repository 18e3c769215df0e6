package dev.holdfast.core.topology;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A machine of whose GPUs only some may be used. */
public final class GpuChoice {
  private GpuChoice() {}

  /**
   * Leaves usable only the GPUs of a list as CUDA_VISIBLE_DEVICES has it: numbers or the beginnings
   * of UUIDs. The others are still shown, but have no number to be handed out by.
   */
  public static Topology keep(Topology machine, String list) {
    Set<String> wanted = Stream.of(list.split(",")).map(String::strip).collect(Collectors.toSet());
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
