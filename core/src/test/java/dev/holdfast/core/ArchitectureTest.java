package dev.holdfast.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.core");

  @Test
  void coreTouchesNoFileNoNetworkNoProcess() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.ProcessBuilder")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.channels..", "java.lang.foreign..")
        .check(CLASSES);
  }

  @Test
  void timeIsInjected() {
    noClasses().should().callMethod(java.time.Instant.class, "now").check(CLASSES);
  }

  @Test
  void librariesStayInTheirPackage() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.holdfast.core.text")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.snakeyaml..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.core", CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
