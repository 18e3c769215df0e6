package dev.holdfast.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The rules of architecture that hold in every module; a module's own test adds its own. */
public final class Architecture {
  private Architecture() {}

  /** What a module ships: the classes below its root package, without tests. */
  public static JavaClasses classesOf(String root) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(root);
  }

  public static void requireNoCycles(String root, JavaClasses classes) {
    slices().matching(root + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  /** Only the console of the command line prints. */
  public static void requireSilence(JavaClasses classes) {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(classes);
  }
}
