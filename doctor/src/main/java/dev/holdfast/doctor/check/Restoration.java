package dev.holdfast.doctor.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings as they were before an active check, and the way back to them. */
public final class Restoration {
  private final Map<ActiveCheck.Setting, String> before = new LinkedHashMap<>();

  public Restoration(List<ActiveCheck.Setting> settings) {
    for (ActiveCheck.Setting setting : settings) {
      before.put(setting, setting.read());
    }
  }

  /** Puts back what changed and tells of what would not go back. */
  public void restore(Examination exam) {
    before.forEach(
        (setting, value) -> {
          String problem = putBack(setting, value);
          if (!problem.isEmpty()) {
            exam.degraded(
                    exam.here(),
                    "an active test changed %s and it stays changed".formatted(setting.name()))
                .evidence(setting.name() + " before", value)
                .evidence(setting.name() + " now", problem)
                .remedy("Set %s back to %s by hand".formatted(setting.name(), value));
          }
        });
  }

  /** Empty when the setting has its old value again, else what it has instead. */
  private static String putBack(ActiveCheck.Setting setting, String value) {
    try {
      if (!setting.read().equals(value)) {
        setting.write(value);
      }
      String now = setting.read();
      return now.equals(value) ? "" : now;
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
