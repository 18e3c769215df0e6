package dev.holdfast.os;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.os");

  @Test
  void osKnowsNothingOfTheRest() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.holdfast.core..", "dev.holdfast.doctor..", "dev.holdfast.cli..", "picocli..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.os", CLASSES);
  }
}
