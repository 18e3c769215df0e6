package dev.holdfast.launch.watch;

/** What sets the rank that hangs apart from those that wait for it. */
enum Sign {
  SLEEP(
      "it sleeps or waits for itself, while the others wait in locks or polls or turn in circles",
      true),
  STORE("the others wait at the store, it does not", true),
  BEHIND("it is behind all others", true),
  RECORDER("it has not begun the collective that all others are in", true),
  STILL("it does nothing, while the others turn in circles as they do when they wait", false),
  DEVICE("its device stands still, while those of the others are busy as in a collective", false),
  FIRST("it went quiet before the others", false),
  ELSEWHERE("it waits in another place than all others", false),
  KERNEL("it is stuck in the kernel, most often for a disk or a file server", false),
  ALONE("it alone works, while all others wait", false);

  private final String words;
  private final boolean strong;

  Sign(String words, boolean strong) {
    this.words = words;
    this.strong = strong;
  }

  String words() {
    return words;
  }

  /** Whether it is enough for a call within the time of a few steps. */
  boolean strong() {
    return strong;
  }
}
