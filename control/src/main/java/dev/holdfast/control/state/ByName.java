package dev.holdfast.control.state;

import dev.holdfast.core.health.Subject;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Things by their names: found at once, listed in the order people expect ({@code n2} before {@code
 * n10}). One thread writes, any may read; a list shows each thing as it was at some moment.
 */
final class ByName<V> {
  private final ConcurrentMap<String, V> things = new ConcurrentHashMap<>();
  private final NavigableSet<String> names = new ConcurrentSkipListSet<>(Subject.NATURAL);

  @Nullable V get(String name) {
    return things.get(name);
  }

  boolean has(String name) {
    return things.containsKey(name);
  }

  /** What was there before. */
  @Nullable V put(String name, V thing) {
    V before = things.put(name, thing);
    if (before == null) {
      names.add(name);
    }
    return before;
  }

  void change(String name, UnaryOperator<V> how) {
    things.computeIfPresent(name, (_, thing) -> how.apply(thing));
  }

  @Nullable V remove(String name) {
    V before = things.remove(name);
    if (before != null) {
      names.remove(name);
    }
    return before;
  }

  /** Tells whether there was one. */
  boolean removeIf(Predicate<V> over) {
    boolean any = false;
    for (String name : names) {
      V thing = things.get(name);
      if (thing != null && over.test(thing)) {
        remove(name);
        any = true;
      }
    }
    return any;
  }

  /** All names, in no order. */
  Set<String> names() {
    return Collections.unmodifiableSet(things.keySet());
  }

  Collection<V> all() {
    return listed(names);
  }

  Collection<V> backwards() {
    return listed(names.descendingSet());
  }

  private Collection<V> listed(Collection<String> order) {
    return new AbstractCollection<>() {
      @Override
      public Iterator<V> iterator() {
        return order.stream().map(things::get).filter(Objects::nonNull).iterator();
      }

      @Override
      public int size() {
        return things.size();
      }
    };
  }
}
