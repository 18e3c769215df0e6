package dev.holdfast.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.store");

  @Test
  void protocolAndKeysTouchNothingOutside() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.holdfast.store.protocol", "dev.holdfast.store.keys")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.net..", "java.nio.channels..", "java.nio.file..", "dev.holdfast.os..")
        .check(CLASSES);
  }

  @Test
  void foreignFunctionsStayInTheModuleOfTheMachine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.Linker")
        .check(CLASSES);
  }

  @Test
  void namesAreLookedUpWhereTheAccessListIsMadeAndNowhereElse() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.holdfast.store.server.AccessList")
        .should()
        .callMethod(java.net.InetAddress.class, "getByName", String.class)
        .orShould()
        .callMethod(java.net.InetAddress.class, "getAllByName", String.class)
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.store", CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
