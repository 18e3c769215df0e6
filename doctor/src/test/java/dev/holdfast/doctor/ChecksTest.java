package dev.holdfast.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChecksTest {
  @Test
  void everyCheckClassIsInTheList() {
    Set<String> listed =
        Checks.all().stream().map(check -> check.getClass().getName()).collect(Collectors.toSet());
    Set<String> written =
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.holdfast.doctor")
                .stream()
                .filter(type -> type.isAssignableTo(Check.class))
                .filter(type -> !type.isInterface() && !type.isAnonymousClass())
                .filter(type -> !type.getPackageName().endsWith(".site"))
                .filter(type -> !type.getPackageName().endsWith(".contract"))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
    assertThat(written).isEqualTo(listed);
  }

  @Test
  void idsAreUniqueAndEveryCheckSaysWhyItMattersAndWhatToDo() {
    assertThat(Checks.all().stream().map(check -> check.info().id())).doesNotHaveDuplicates();
    for (Check check : Checks.all()) {
      CheckInfo info = check.info();
      assertThat(info.meaning()).as(info.id() + " meaning").isNotBlank();
      assertThat(info.remedy()).as(info.id() + " remedy").isNotBlank();
      assertThat(info.reads()).as(info.id() + " reads").isNotEmpty();
    }
  }
}
