package dev.holdfast.sim;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.sim");

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
