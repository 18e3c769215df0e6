package dev.holdfast.bench.flight;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A program with one call that is wrong. */
record Mistakes(Fault fault, SplittableRandom random) {

  List<Step> in(List<Step> right, int from) {
    List<Step> steps = new ArrayList<>(right);
    int call = from;
    while (call < steps.size() - 1 && !suits(steps.get(call))) {
      call++;
    }
    Step step = steps.get(call);
    switch (fault) {
      case OTHER_CALL ->
          steps.set(
              call,
              step.as(
                  step.what().equals("all_reduce") ? "broadcast" : "all_reduce",
                  step.in(),
                  step.type()));
      case OTHER_SIZE ->
          steps.set(
              call,
              random.nextBoolean()
                  ? step.as(step.what(), List.of(step.in().getFirst() + 3, 16), step.type())
                  : step.as(step.what(), step.in(), "Double"));
      case SKIPPED_CALL -> steps.remove(call);
      default -> steps.add(call, step);
    }
    return steps;
  }

  private boolean suits(Step step) {
    return fault == Fault.OTHER_SIZE ? !step.what().equals("all_to_all") : !step.transfer();
  }
}
