package dev.holdfast.core.forensics.logs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which lines were written again and again, by whom? Two lines are the same if they differ in
 * numbers only. The number of templates is bounded, for lines that look like trouble and for others
 * apart, so that chatter cannot crowd trouble out.
 */
final class Templates {
  private static final int COMPARED = 256;

  private final int most;
  private final Map<Long, Template> known = new HashMap<>();
  private int notable;
  private long unkept;

  Templates(int most) {
    this.most = most;
  }

  /** One of them, while it is counted. */
  static final class Template {
    final long hash;
    final String text;
    final boolean notable;

    /** Speakers by id. */
    final BitSet speakers = new BitSet();

    long count;
    long first = Stamp.NONE;
    int firstSpeaker = -1;
    int row = -1;

    Template(long hash, String text, boolean notable) {
      this.hash = hash;
      this.text = text;
      this.notable = notable;
    }

    private void add(Template other) {
      count += other.count;
      speakers.or(other.speakers);
      if (firstSpeaker < 0 || (other.first != Stamp.NONE && other.first < first)) {
        first = other.first;
        firstSpeaker = other.firstSpeaker;
      }
      row = row < 0 ? other.row : row;
    }
  }

  /** The template of this hash; null: it is not known. */
  @Nullable Template known(long hash) {
    return known.get(hash);
  }

  /** Whether another one would be kept. */
  boolean room(boolean trouble) {
    boolean room = trouble ? notable < most : known.size() - notable < most;
    if (!room) {
      unkept++;
    }
    return room;
  }

  Template add(long hash, String text, boolean trouble) {
    Template template = new Template(hash, text, trouble);
    known.put(hash, template);
    if (trouble) {
      notable++;
    }
    return template;
  }

  /** Adds those of one file to those of all. */
  void merge(Templates file) {
    unkept += file.unkept;
    for (Template one : file.known.values()) {
      Template same = known.get(one.hash);
      if (same == null && room(one.notable)) {
        same = add(one.hash, one.text, one.notable);
      }
      if (same != null) {
        same.add(one);
      }
    }
  }

  Collection<Template> all() {
    List<Template> all = new ArrayList<>(known.values());
    all.sort(
        (a, b) ->
            a.first != b.first ? Long.compare(a.first, b.first) : Long.compare(a.hash, b.hash));
    return all;
  }

  /** Lines that were not counted because there was no room. */
  long unkept() {
    return unkept;
  }

  /** The same for lines that differ in numbers only. */
  static long hash(byte[] bytes, int from, int end) {
    int to = Math.min(end, from + COMPARED);
    long hash = 1_125_899_906_842_597L;
    boolean number = false;
    for (int at = from; at < to; at++) {
      int b = bytes[at];
      if (b >= '0' && b <= '9') {
        if (!number) {
          hash = hash * 31 + '#';
          number = true;
        }
      } else if (!number || !((b >= 'a' && b <= 'f') || b == 'x' || b == '.' || b == '-')) {
        number = false;
        hash = hash * 31 + b;
      }
    }
    return hash;
  }
}
