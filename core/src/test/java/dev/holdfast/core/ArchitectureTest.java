package dev.holdfast.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.holdfast.core");

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
        .resideInAnyPackage("io.avaje..", "org.snakeyaml..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.holdfast.core.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }
}
