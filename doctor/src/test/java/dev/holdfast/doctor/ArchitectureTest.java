package dev.holdfast.doctor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.doctor");

  @Test
  void theMachineIsReachedOnlyThroughTheNodeView() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.holdfast.doctor.node",
            "dev.holdfast.doctor.snapshot",
            "dev.holdfast.doctor.compare",
            "dev.holdfast.doctor.site")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.ProcessBuilder")
        .check(CLASSES);
  }

  @Test
  void foreignFunctionsAreCalledOnlyInOs() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.lang.foreign..", "picocli..")
        .check(CLASSES);
  }

  @Test
  void checksNeverSleepOrStartThreads() {
    noClasses()
        .that()
        .implement(dev.holdfast.doctor.check.Check.class)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent")
        .check(CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
