package dev.holdfast.cli.command;

import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import java.util.Iterator;
import java.util.TreeSet;

/** What can be written after {@code --only} and {@code --skip}, for the TAB key. */
final class CheckNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    TreeSet<String> names = new TreeSet<>();
    for (Check check : Checks.all()) {
      names.add(check.info().group());
      names.add(check.info().id());
    }
    return names.iterator();
  }
}
