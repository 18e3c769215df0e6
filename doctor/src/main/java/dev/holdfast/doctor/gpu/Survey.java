package dev.holdfast.doctor.gpu;

import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One question put to every accelerator, and one line for all that answered well, since eight equal
 * lines say no more.
 */
final class Survey {
  /** The reason of a skip that checks of accelerators share. */
  static final String NOT_REPORTED = "the accelerator or its driver does not report this";

  /** What became of asking one device. */
  enum Answer {
    GOOD,
    /** A finding was written. */
    TOLD,
    /** The device does not say; that is no pass. */
    UNKNOWN
  }

  private Survey() {}

  /**
   * @param good what is true of the devices that are well
   */
  static void of(Examination exam, String good, Function<Accelerator, Answer> question) {
    of(exam, exam.accelerators().require(), good, question);
  }

  /**
   * The same question with what most devices of that model say of a fact, for finding the odd one.
   */
  static void amongPeers(
      Examination exam,
      String fact,
      String good,
      BiFunction<Accelerator, Optional<String>, Answer> question) {
    for (List<Accelerator> group : Peers.byModel(exam.accelerators().require()).values()) {
      Optional<String> usual = Peers.majority(group, fact);
      of(exam, group, good, device -> question.apply(device, usual));
    }
  }

  static void of(
      Examination exam,
      List<Accelerator> devices,
      String good,
      Function<Accelerator, Answer> question) {
    int well = 0;
    for (Accelerator device : devices) {
      switch (question.apply(device)) {
        case GOOD -> well++;
        case UNKNOWN -> exam.skip(NOT_REPORTED);
        case TOLD -> {}
      }
    }
    if (well > 0) {
      exam.pass("%s (%d of %d devices)".formatted(good, well, devices.size()));
    }
  }
}
