package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Writes hwloc 2 XML of machines that tests describe as nested calls; sets follow by themselves.
 */
public final class MachineText {
  private static final Set<String> MEMORY = Set.of("NUMANode", "MemCache");
  private static final Set<String> IO = Set.of("Bridge", "PCIDev", "OSDev");

  private final String type;
  private final int number;
  private final String more;
  private final List<MachineText> inside;

  private MachineText(String type, int number, String more, List<MachineText> inside) {
    this.type = type;
    this.number = number;
    this.more = more;
    this.inside = inside;
  }

  public static MachineText part(String type, int number, MachineText... inside) {
    return new MachineText(type, number, "", List.of(inside));
  }

  public static MachineText part(String type, int number, List<MachineText> inside) {
    return new MachineText(type, number, "", inside);
  }

  public static List<MachineText> many(int first, int count, IntFunction<MachineText> make) {
    List<MachineText> parts = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      parts.add(make.apply(i));
    }
    return parts;
  }

  /** A core whose threads are {@code number}, {@code number + stride}, … */
  public static MachineText core(int number, int threads, int stride) {
    return part("Core", number, many(0, threads, i -> part("PU", number + i * stride)));
  }

  public static MachineText numa(int number) {
    return part("NUMANode", number);
  }

  public static MachineText gpuMemory(int number) {
    return new MachineText("NUMANode", number, " subtype=\"GPUMemory\"", List.of());
  }

  /** A PCI function behind a host bridge with the devices software has names for. */
  public static MachineText pci(String address, String vendor, MachineText... named) {
    return hostBridge(function(address, vendor, named));
  }

  public static MachineText hostBridge(MachineText... inside) {
    String more = " bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[00-ff]\"";
    return new MachineText("Bridge", -1, more, List.of(inside));
  }

  public static MachineText bridge(MachineText... inside) {
    String more = " bridge_type=\"1-1\" depth=\"1\" bridge_pci=\"0000:[01-ff]\"";
    return new MachineText("Bridge", -1, more, List.of(inside));
  }

  public static MachineText function(String address, String vendor, MachineText... named) {
    String type = " pci_busid=\"%s\" pci_type=\"0302 [%s:0001] [0000:0000] 00\"";
    return new MachineText("PCIDev", -1, type.formatted(address, vendor), List.of(named));
  }

  public static MachineText named(String name, int osType, String subtype) {
    String told = subtype.isEmpty() ? "" : " subtype=\"" + subtype + "\"";
    return new MachineText(
        "OSDev", -1, " name=\"%s\" osdev_type=\"%d\"%s".formatted(name, osType, told), List.of());
  }

  public static MachineText nvidia(int number) {
    return pci("0000:%02x:00.0".formatted(16 + number), "10de", named("nvml" + number, 1, "NVML"));
  }

  /** The parts of two lists as one. */
  public static List<MachineText> join(List<MachineText> one, MachineText... others) {
    List<MachineText> all = new ArrayList<>(one);
    all.addAll(List.of(others));
    return all;
  }

  /** A machine with these parts, as a file. */
  public static String xml(MachineText... parts) {
    return xml("2.0", List.of(parts));
  }

  public static String xml(String version, List<MachineText> parts) {
    StringBuilder out = new StringBuilder("<topology version=\"%s\">\n".formatted(version));
    part("Machine", 0, parts).write(out, new BitSet(), new BitSet());
    return out.append("</topology>\n").toString();
  }

  private BitSet cpus() {
    BitSet cpus = new BitSet();
    if (type.equals("PU")) {
      cpus.set(number);
    }
    inside.forEach(part -> cpus.or(part.cpus()));
    return cpus;
  }

  private BitSet nodes() {
    BitSet nodes = new BitSet();
    if (type.equals("NUMANode")) {
      nodes.set(number);
    }
    inside.forEach(part -> nodes.or(part.nodes()));
    return nodes;
  }

  private void write(StringBuilder out, BitSet outerCpus, BitSet aroundNodes) {
    out.append("<object type=\"").append(type).append('"');
    BitSet cpus = MEMORY.contains(type) ? outerCpus : cpus();
    BitSet around = (BitSet) aroundNodes.clone();
    if (!IO.contains(type)) {
      inside.stream()
          .filter(part -> MEMORY.contains(part.type))
          .forEach(part -> around.or(part.nodes()));
      BitSet nodes = nodes();
      if (!MEMORY.contains(type)) {
        nodes.or(around);
      }
      out.append(" cpuset=\"").append(mask(cpus)).append("\" nodeset=\"").append(mask(nodes));
      out.append('"');
    }
    out.append(number < 0 ? "" : " os_index=\"" + number + '"').append(more).append(">\n");
    inside.forEach(part -> part.write(out, cpus, around));
    out.append("</object>\n");
  }

  private static String mask(BitSet bits) {
    return mask(IdSet.copyOf(bits));
  }

  /** As hwloc writes it: words of 32 bits, those that are zero left empty but for the last. */
  static String mask(IdSet ids) {
    List<String> words = new ArrayList<>();
    for (int base = Math.max(0, ids.last()) / 32 * 32; base >= 0; base -= 32) {
      long word = 0;
      for (int bit = 0; bit < 32; bit++) {
        word |= ids.contains(base + bit) ? 1L << bit : 0;
      }
      words.add(word != 0 ? "0x%08x".formatted(word) : base == 0 ? "0x0" : "");
    }
    return String.join(",", words);
  }
}
