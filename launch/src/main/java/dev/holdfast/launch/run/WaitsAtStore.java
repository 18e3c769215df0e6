package dev.holdfast.launch.run;

import java.util.Map;

/** Which rank waits for which key at the store of an attempt, as far as is known. */
interface WaitsAtStore {
  Map<Integer, String> now(int attempt);
}
