package dev.holdfast.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.control");

  @Test
  void sqlIsOnlyInTheJournal() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.holdfast.control", "dev.holdfast.control.journal", "dev.holdfast.control.engine")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.h2..")
        .check(CLASSES);
  }

  @Test
  void httpIsOnlyAtTheBorder() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.holdfast.control.api..",
            "dev.holdfast.control.web..",
            "dev.holdfast.control.notify..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.helidon..", "java.net..")
        .check(CLASSES);
  }

  @Test
  void decidingKnowsNoClockNoThreadNoFile() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.holdfast.control.entry..",
            "dev.holdfast.control.state..",
            "dev.holdfast.control.decide..",
            "dev.holdfast.control.replay..")
        .should()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.Thread")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.control", CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
