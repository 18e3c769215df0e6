package dev.holdfast.core.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which of many fixed strings occur in a line? One pass over the characters, however many strings:
 * the automaton of Aho and Corasick, as a dense table over ASCII. Nearly all lines of a log match
 * nothing, so this pass is what decoding costs.
 */
public final class MarkerIndex {
  private static final int ALPHABET = 128;

  /** Where each state's row begins; negated and one less where a marker ends there. */
  private final int[] next;

  private final long[][] outputs;
  private final int words;

  /** Builds the table; {@code markers.get(i)} are the strings that set bit i. */
  public MarkerIndex(List<List<String>> markers) {
    words = (markers.size() + 63) / 64;
    List<int[]> trie = new ArrayList<>();
    List<BitSet> found = new ArrayList<>();
    addState(trie, found);
    for (int bit = 0; bit < markers.size(); bit++) {
      for (String marker : markers.get(bit)) {
        insert(trie, found, marker, bit);
      }
    }
    link(trie, found);
    next = new int[trie.size() * ALPHABET];
    outputs = new long[trie.size()][];
    for (int state = 0; state < trie.size(); state++) {
      for (int character = 0; character < ALPHABET; character++) {
        int target = trie.get(state)[character];
        int row = target * ALPHABET;
        next[state * ALPHABET + character] = found.get(target).isEmpty() ? row : ~row;
      }
      outputs[state] = Arrays.copyOf(found.get(state).toLongArray(), words);
    }
  }

  /** Sets in {@code hits} the bits of all markers in the range; false if there are none. */
  public boolean scan(String text, int from, int end, long[] hits) {
    boolean any = false;
    int row = 0;
    for (int at = from; at < end; at++) {
      char character = text.charAt(at);
      row = character < ALPHABET ? next[row + character] : 0;
      if (row < 0) {
        row = ~row;
        collect(row, hits, any);
        any = true;
      }
    }
    return any;
  }

  /** The same for bytes of ASCII or UTF-8. */
  public boolean scan(byte[] text, int from, int end, long[] hits) {
    boolean any = false;
    int row = 0;
    for (int at = from; at < end; at++) {
      int character = text[at];
      row = character >= 0 ? next[row + character] : 0;
      if (row < 0) {
        row = ~row;
        collect(row, hits, any);
        any = true;
      }
    }
    return any;
  }

  private void collect(int row, long[] hits, boolean more) {
    if (!more) {
      Arrays.fill(hits, 0);
    }
    long[] output = outputs[row / ALPHABET];
    for (int word = 0; word < words; word++) {
      hits[word] |= output[word];
    }
  }

  /** How many longs {@link #scan} writes. */
  public int words() {
    return words;
  }

  private static int addState(List<int[]> trie, List<BitSet> found) {
    int[] edges = new int[ALPHABET];
    Arrays.fill(edges, -1);
    trie.add(edges);
    found.add(new BitSet());
    return trie.size() - 1;
  }

  private static void insert(List<int[]> trie, List<BitSet> found, String marker, int bit) {
    int state = 0;
    for (char character : marker.toCharArray()) {
      if (character >= ALPHABET) {
        throw new IllegalArgumentException("markers are ASCII: " + marker);
      }
      if (trie.get(state)[character] < 0) {
        int added = addState(trie, found);
        trie.get(state)[character] = added;
      }
      state = trie.get(state)[character];
    }
    found.get(state).set(bit);
  }

  /** Turns the trie into an automaton: every missing edge leads where the longest suffix would. */
  private static void link(List<int[]> trie, List<BitSet> found) {
    int[] suffix = new int[trie.size()];
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(0);
    while (!queue.isEmpty()) {
      int state = queue.remove();
      int[] edges = trie.get(state);
      int[] fallback = trie.get(suffix[state]);
      for (int character = 0; character < ALPHABET; character++) {
        int target = edges[character];
        int other = state == 0 ? 0 : fallback[character];
        if (target < 0) {
          edges[character] = other;
        } else {
          suffix[target] = other;
          found.get(target).or(found.get(other));
          queue.add(target);
        }
      }
    }
  }
}
