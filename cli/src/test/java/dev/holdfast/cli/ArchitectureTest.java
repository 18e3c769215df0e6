package dev.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.cli");

  @Test
  void foreignFunctionsAreCalledOnlyInOs() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.cli", CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
