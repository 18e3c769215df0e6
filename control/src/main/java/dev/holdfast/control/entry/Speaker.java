package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program that speaks for a source, as it makes itself known. What says neither is one of
 * before this was asked, or a script.
 *
 * @param run random, of one life of the program
 * @param machine a hash, the same in each of its lives on one machine
 * @param address where it spoke from
 */
public record Speaker(String run, String machine, String address) {
  public Map<String, @Nullable Object> json() {
    return Json.map(
        "run", Entry.some(run), "machine", Entry.some(machine), "address", Entry.some(address));
  }

  static Speaker of(Fields fields) {
    return new Speaker(
        fields.text("run", ""), fields.text("machine", ""), fields.text("address", ""));
  }

  /** Whether it may be the next life of that one: whoever named no machine may be on any. */
  public boolean mayFollow(Speaker before) {
    return before.machine.isEmpty() || before.machine.equals(machine);
  }
}
