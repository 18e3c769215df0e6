package dev.holdfast.core.forensics;

import java.util.Locale;

/** What kind of failure ended a rank or a run. */
public enum FailureClass {
  LOST_GPU,
  CUDA_ERROR,
  ECC,
  NCCL_ERROR,
  HANG,
  SLOWDOWN,
  GPU_OUT_OF_MEMORY,
  HOST_OUT_OF_MEMORY,
  STORAGE,
  NUMERICS,
  USER_CODE,
  PREEMPTION,
  LOST_NODE,
  LOST_STORE,
  UNKNOWN;

  /** The word in JSON, metrics and on the page: {@code lost-gpu}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static FailureClass of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
