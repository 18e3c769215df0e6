package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the kernel's small files; what is missing is empty, what is garbled is noted. */
final class SysfsReader {
  private static final int MAX_NOTES = 100;

  private final MachineFiles files;
  private final List<String> notes = new ArrayList<>();

  SysfsReader(MachineFiles files) {
    this.files = files;
  }

  MachineFiles files() {
    return files;
  }

  List<String> notes() {
    return notes;
  }

  void note(String text) {
    if (notes.size() < MAX_NOTES && !notes.contains(text)) {
      notes.add(text);
    }
  }

  /** The first of the files that is there, as a set such as {@code 0-3,8}. */
  Optional<IdSet> set(String folder, String... names) {
    for (String name : names) {
      String path = folder + "/" + name;
      Optional<String> text = files.text(path);
      if (text.isPresent()) {
        try {
          return Optional.of(IdSet.parse(text.get()));
        } catch (IllegalArgumentException garbled) {
          note(path + " is not used: " + garbled.getMessage());
        }
      }
    }
    return Optional.empty();
  }

  /** A whole number, decimal or with 0x, negative ones included. */
  OptionalLong number(String path) {
    String text = files.text(path).orElse("").strip();
    if (text.matches("0x[0-9a-fA-F]{1,15}")) {
      return OptionalLong.of(Long.parseLong(text.substring(2), 16));
    }
    return text.matches("-?[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** The small number of a thing, or -1. */
  int id(String path) {
    long value = number(path).orElse(-1);
    return value < 0 || value > IdSet.MAX_ID ? -1 : (int) value;
  }

  /** The last element of where a link points. */
  Optional<String> linkName(String path) {
    return files.link(path).map(target -> target.substring(target.lastIndexOf('/') + 1));
  }

  /** The numbers of the entries of a folder that are called so: 3 for {@code node3}. */
  IdSet numbered(String folder, String prefix) {
    java.util.BitSet bits = new java.util.BitSet();
    for (String name : files.list(folder)) {
      String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
      if (digits.matches("[0-9]{1,5}") && Integer.parseInt(digits) <= IdSet.MAX_ID) {
        bits.set(Integer.parseInt(digits));
      }
    }
    return IdSet.copyOf(bits);
  }
}
