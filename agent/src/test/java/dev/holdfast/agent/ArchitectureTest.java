package dev.holdfast.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.testing.Architecture;
import org.junit.jupiter.api.Test;

/** The architecture of this module in code: which package may use what. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = Architecture.classesOf("dev.holdfast.agent");

  @Test
  void theControlPlaneIsReachedOnlyByTheLink() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.holdfast.agent.link")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("dev.holdfast.os.server.ServerClient")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.net.http..")
        .check(CLASSES);
  }

  @Test
  void onlyTheMetricsListenOnTheNetwork() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.holdfast.agent.metrics")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.sun.net.httpserver..")
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
  void programsAreStartedOnlyForRequests() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.holdfast.agent.request")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("dev.holdfast.os.process.Command")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.ProcessBuilder")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    Architecture.requireNoCycles("dev.holdfast.agent", CLASSES);
  }

  @Test
  void nobodyPrintsBesideTheConsole() {
    Architecture.requireSilence(CLASSES);
  }
}
