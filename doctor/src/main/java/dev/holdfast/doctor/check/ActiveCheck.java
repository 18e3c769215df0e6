package dev.holdfast.doctor.check;

import java.time.Duration;
import java.util.List;

/**
 * A check that loads the node or changes a setting of it.
 *
 * <p>The runner puts active checks to the node one at a time, after the passive ones, each under
 * its own outer deadline. Whatever {@link #touches} names is read before, put back after (also when
 * the check failed or did not return) and read again; a setting that cannot be put back is itself a
 * finding. A tool that examines must not leave the node other than it found it.
 */
public interface ActiveCheck extends Check {
  Duration deadline();

  /** Every setting the check may change. */
  List<Setting> touches();

  /** One setting of the node, such as a clock limit. */
  interface Setting {
    String name();

    String read();

    void write(String value);
  }
}
