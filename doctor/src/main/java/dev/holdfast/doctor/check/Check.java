package dev.holdfast.doctor.check;

/**
 * One question about a node.
 *
 * <p>A check looks only through the {@link Examination}, starts no thread, never sleeps and owns no
 * time; the runner gives it a deadline. It answers by calling {@code pass}, {@code skip} or one of
 * the finding methods, once per subject. An exception is a defect of the check, except {@link
 * dev.holdfast.doctor.node.Unavailable}, which is a skip.
 */
public interface Check {
  CheckInfo info();

  void run(Examination exam);
}
