package dev.holdfast.bench.net;

/** Knows what a call must bring. */
interface Checked {
  /** Before the call: what it shall bring is then wrong. */
  void fill();

  /** After the call: how many elements are wrong. */
  long wrong();
}
