package dev.holdfast.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.launcher.Checkout.Answer;
import dev.holdfast.cli.launcher.Checkout.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user of a fresh clone meets: the launcher, run for real, on machines good and bad. */
final class LauncherIT {
  @TempDir Path folder;
  private Checkout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    // Another user must be able to enter it.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    checkout = new Checkout(folder);
  }

  @AfterEach
  void forgetJdk() throws IOException {
    checkout.forgetJdk();
  }

  @Test
  void buildsOnFirstUsePastAnOldJavaThenStartsAtOnceAndWritesNothing() throws Exception {
    checkout.withJdk().withOldJdkOnPath("17.0.15").with("JAVA_HOME", "/no/such/jdk");

    Answer first = checkout.holdfast("version");
    assertThat(first.out()).startsWith("holdfast ");
    assertThat(first.err()).contains("building (first use").contains("built in");
    assertThat(first.code()).isZero();

    var before = checkout.state();
    Answer second = checkout.holdfast("version");
    assertThat(second).isEqualTo(new Answer(0, first.out(), ""));
    assertThat(checkout.state()).isEqualTo(before);
    assertThat(checkout.mavenCalls()).isOne();

    // The cache is used, not merely there.
    Path classes = folder.resolve("classes");
    checkout.with("HOLDFAST_JAVA_OPTIONS", "-Xlog:class+load:file=" + classes).holdfast("version");
    assertThat(Files.readAllLines(classes))
        .anyMatch(line -> line.contains("picocli.CommandLine source: shared objects file"));
  }

  @Test
  void saysWhatItLookedAtWhenThereIsNoJdk() throws Exception {
    Answer answer = checkout.withOldJdkOnPath("17.0.15").holdfast("version");
    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .contains("needs a JDK 25")
        .contains("java on the PATH: " + folder + "/jdk-17.0.15 is Java 17.0.15")
        .contains("JAVA_HOME: not set")
        .contains("apt-get install openjdk-25-jdk");
    assertThat(checkout.mavenCalls()).isZero();
  }

  @Test
  void saysWhatBringsMavenWhenItMustBuildWithoutIt() throws Exception {
    Answer answer = checkout.withJdk().withoutMaven().holdfast("version");
    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.err()).contains("mvn is not on the PATH (apt-get install maven)");
  }

  @Test
  void showsTheErrorsOfAFailedBuildAndWhereTheLogIs() throws Exception {
    checkout.withJdk().maven("echo noise; echo '[ERROR] Example.java:[1,7] broken'; exit 1");
    Answer answer = checkout.holdfast("version");
    assertThat(answer.code()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .contains("[ERROR] Example.java:[1,7] broken")
        .contains(checkout.log().toString())
        .doesNotContain("noise");
  }

  @Test
  void worksFromAReadOnlyCheckoutThroughALinkForAnotherUser() throws Exception {
    checkout.withJdk();
    assertThat(checkout.holdfast("version").code()).isZero();
    checkout.run("chmod", "-R", "a-w", checkout.root().toString());
    checkout.with("HOME", "/nonexistent");
    Path link = Files.createSymbolicLink(folder.resolve("link"), checkout.launcher());

    Answer warm = checkout.run(asNobody(link, "version"));
    assertThat(warm.err()).isEmpty();
    assertThat(warm.out()).startsWith("holdfast ");
    assertThat(warm.code()).isZero();

    touch(checkout.source());
    Answer changed = checkout.run(asNobody(link, "version"));
    assertThat(changed.err()).contains("cannot be written: starting the older build");
    assertThat(changed.out()).isEqualTo(warm.out());
    assertThat(changed.code()).isZero();
    checkout.run("chmod", "-R", "u+w", checkout.root().toString());
  }

  @Test
  void buildsAgainWhenASourceChanges() throws Exception {
    checkout.withJdk();
    assertThat(checkout.holdfast("version").code()).isZero();
    touch(checkout.source());
    Answer answer = checkout.holdfast("version");
    assertThat(answer.code()).isZero();
    assertThat(answer.err())
        .contains("core/src/main/java/Example.java changed")
        .contains("built in");
    assertThat(checkout.mavenCalls()).isEqualTo(2);
  }

  @Test
  void aJdkUpgradedInPlaceGetsItsOwnCacheWithoutMaven() throws Exception {
    checkout.withJdk();
    assertThat(checkout.holdfast("version").code()).isZero();
    Path jdk = checkout.root().resolve("cli/target/holdfast/jdk");
    Files.writeString(jdk, Files.readAllLines(jdk).getFirst() + "\n25.0.0\n");
    Answer answer = checkout.withoutMaven().holdfast("version");
    assertThat(answer.code()).isZero();
    assertThat(answer.err()).contains("Java changed").contains("built in");
    assertThat(checkout.holdfast("version").err()).isEmpty();
  }

  @Test
  void ofTwoFirstCallsOneBuildsAndTheOtherWaits() throws Exception {
    String prepared = Files.readString(folder.resolve("bin/mvn")).lines().toList().getLast();
    Checkout.script(folder.resolve("bin/mvn"), "sleep 1; " + prepared);
    checkout.withJdk();
    Call one = checkout.start(checkout.launcher().toString(), "version");
    Call two = checkout.start(checkout.launcher().toString(), "version");
    Answer first = one.answer();
    Answer second = two.answer();
    assertThat(first.code()).isZero();
    assertThat(second.code()).isZero();
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(first.err() + second.err())
        .containsOnlyOnce("building (first use")
        .containsOnlyOnce("another call is building here; waiting up to");
    assertThat(checkout.mavenCalls()).isOne();
  }

  @Test
  void aBuildKilledAtAnyPointIsNeverTakenForAWholeOne() throws Exception {
    checkout.withJdk();
    for (int milliseconds : new int[] {50, 700, 1600, 2500}) {
      Call call = checkout.start(checkout.launcher().toString(), "version");
      Thread.sleep(milliseconds); // not a wait for something: the moment of the kill is what varies
      call.killAll();
    }
    Answer answer = checkout.holdfast("version");
    assertThat(answer.code()).isZero();
    assertThat(answer.out()).startsWith("holdfast ");
    assertThat(checkout.root().resolve("cli/target/holdfast/lib/holdfast.aot")).exists();
  }

  private static String[] asNobody(Path program, String argument) {
    return "root".equals(System.getProperty("user.name"))
        ? new String[] {
          "setpriv",
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          program.toString(),
          argument
        }
        : new String[] {program.toString(), argument};
  }

  /** One second on, whatever the resolution of the file system's clock. */
  private static void touch(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));
  }
}
