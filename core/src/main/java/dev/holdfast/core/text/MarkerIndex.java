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
      System.arraycopy(trie.get(state), 0, next, state * ALPHABET, ALPHABET);
      long[] bits = found.get(state).toLongArray();
      outputs[state] = bits.length == 0 ? bits : Arrays.copyOf(bits, words);
    }
  }

  /** Sets in {@code hits} the bits of all markers in the range; false if there are none. */
  public boolean scan(String text, int from, int end, long[] hits) {
    boolean any = false;
    int state = 0;
    for (int at = from; at < end; at++) {
      char character = text.charAt(at);
      state = character < ALPHABET ? next[state * ALPHABET + character] : 0;
      long[] output = outputs[state];
      if (output.length != 0) {
        if (!any) {
          Arrays.fill(hits, 0);
          any = true;
        }
        for (int word = 0; word < words; word++) {
          hits[word] |= output[word];
        }
      }
    }
    return any;
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
