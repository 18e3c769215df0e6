package dev.holdfast.bench.logs;

import java.util.Locale;

/** What goes wrong, and what the logs should be understood as. */
enum LogFault {
  /** A rank stands still in its own code and says nothing; the others run into a timeout. */
  HANG("hang"),
  /** A rank waits in an earlier collective than the others. */
  STUCK_DEVICE("hang"),
  /** A rank calls another collective. */
  MISMATCH("user-code"),
  /** A process dies of a signal without a word. */
  CRASH("user-code unknown"),
  /** The memory of a GPU is full. */
  GPU_MEMORY("gpu-out-of-memory"),
  /** The kernel kills a rank for memory. */
  HOST_MEMORY("host-out-of-memory unknown"),
  /** Memory of a GPU fails. */
  ECC("ecc"),
  /** A GPU falls off the bus. */
  LOST_GPU("lost-gpu cuda-error"),
  /** The port of a node goes down. */
  NETWORK("nccl-error"),
  /** A read fails on one node. */
  STORAGE("storage"),
  /** An exception nobody has a rule for. */
  EXCEPTION("user-code"),
  /** A node is gone with all its ranks. */
  LOST_NODE("lost-node"),
  /** The scheduler takes the job away. */
  PREEMPTED("preemption"),
  /** Nothing. */
  NONE("unknown");

  /** The classes that fit, in words. */
  final String classes;

  LogFault(String classes) {
    this.classes = classes;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
