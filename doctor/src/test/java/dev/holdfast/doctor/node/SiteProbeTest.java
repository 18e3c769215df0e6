package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.place.Places;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteProbeTest {
  @TempDir Path home;

  private Path folder = Path.of("");
  private SiteProbe probe = new SiteProbe(places(), Duration.ofSeconds(30));

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectories(home.resolve(".config/holdfast/checks.d"));
    probe = new SiteProbe(places(), Duration.ofSeconds(30));
  }

  private Places places() {
    return new Places(Map.of(), String.valueOf(home), false);
  }

  private Path script(String file, String mode, String text) throws IOException {
    Path script = Files.writeString(folder.resolve(file), text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString(mode));
    return script;
  }

  private Path script(String file, String text) throws IOException {
    return script(file, "rwxr-xr-x", "#!/bin/sh\n" + text);
  }

  @ParameterizedTest
  @CsvSource({
    "scratch.sh, scratch",
    "10-Scratch_space.py, scratch.space",
    "check-2fa, check2fa",
    "42, unnamed",
    "größe, gr.e",
    "a.b.c, a.b"
  })
  void idsComeFromFileNames(String file, String name) {
    assertThat(SiteProbe.name(file)).isEqualTo(name);
  }

  @Test
  void everyFolderIsReadAndNotesAndBackupsAreNot() throws IOException {
    Path other = Files.createDirectory(home.resolve("other"));
    script("disk.sh", "");
    script("README.md", "");
    script("disk.sh~", "");
    script(".hidden", "");
    Files.createDirectory(folder.resolve("sub"));
    Files.writeString(other.resolve("disk.py"), "");
    Places both =
        new Places(Map.of("HOLDFAST_CHECKS_DIR", other.toString()), home.toString(), false);
    assertThat(new SiteProbe(both, Duration.ofSeconds(1)).list().text())
        .hasValue("disk\t" + folder + "/disk.sh\ndisk2\t" + other + "/disk.py\n");
  }

  @Test
  void theScriptKnowsItsNodeAndItsNameAndPrintsTheAnswer() throws IOException {
    script("env.sh", "echo \"$HOLDFAST_NODE $HOLDFAST_CHECK $HOLDFAST_DEADLINE_SECONDS\"\n");
    assertThat(probe.run("env", "n7").text()).hasValue("n7 site.env 30.0\n");
    assertThat(probe.run("other", "n7")).isInstanceOf(Reading.Absent.class);
  }

  @Test
  void whatOthersMayChangeIsNotRun() throws IOException {
    Path trace = home.resolve("trace");
    script("open.sh", "rwxrwxrwx", "#!/bin/sh\ntouch " + trace + "\n");
    Reading reading = probe.run("open", "n1");
    assertThat(reading).isInstanceOf(Reading.Denied.class);
    assertThat(reading.why()).endsWith("open.sh is writable by everyone: not run");
    script("fine.sh", "touch " + trace + "\n");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(probe.run("fine", "n1").why()).contains("lies in a folder that is writable");
    assertThat(trace).doesNotExist();
  }

  @Test
  void breakagesAreTold() throws IOException {
    script("plain.sh", "rw-r--r--", "#!/bin/sh\necho {}\n");
    assertThat(probe.run("plain", "n1").why()).endsWith("plain.sh is not executable (chmod +x)");
    script("bad.sh", "echo first >&2; echo no such disk >&2; exit 3\n");
    assertThat(probe.run("bad", "n1").why()).endsWith("bad.sh: exit code 3 (no such disk)");
    script("huge.sh", "head -c 70000 /dev/zero | tr '\\0' x\n");
    assertThat(probe.run("huge", "n1").why()).endsWith("printed more than 65536 bytes");
    script("binary.sh", "printf '\\000\\001'\n");
    assertThat(probe.run("binary", "n1").why()).endsWith("printed binary data");
    script("odd", "rwxr-xr-x", "no interpreter is named here\n");
    assertThat(probe.run("odd", "n1")).isInstanceOf(Reading.Broken.class);
    Files.createSymbolicLink(folder.resolve("gone"), Path.of("/no/such/file"));
    assertThat(probe.run("gone", "n1")).isInstanceOf(Reading.Broken.class);
  }

  @Test
  void aScriptThatHangsIsEndedWithAllItStarted() throws IOException {
    Path child = home.resolve("child");
    script("hang.sh", "sleep 300 & echo $! > " + child + "; sleep 300\n");
    long start = System.nanoTime();
    Reading reading = new SiteProbe(places(), Duration.ofMillis(1500)).run("hang", "n1");
    assertThat(reading.why()).contains("no end within 1500 ms, killed");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    Path status = Path.of("/proc", Files.readString(child).strip(), "status");
    // Gone, or a zombie nobody has collected yet.
    assertThat(BoundedFile.read(status, 65_536).text().orElse("State:\tZ")).contains("State:\tZ");
  }

  @Test
  void theExampleInTheDocumentsWorks() throws IOException {
    String page = Files.readString(Golden.root().resolve("docs/site-checks.md"));
    int from = page.indexOf("```sh\n") + "```sh\n".length();
    String example = page.substring(from, page.indexOf("```", from));
    script("scratch.sh", "rwxr-xr-x", example);
    assertThat(outcome("SITE_SCRATCH=/no/such/folder")).isEqualTo("fail");
    assertThat(outcome("SITE_SCRATCH=" + home)).isIn("pass", "warn");
  }

  private String outcome(String setting) throws IOException {
    Path wrapper = script("wrap.sh", setting + " exec " + folder + "/scratch.sh\n");
    assertThat(wrapper).isExecutable();
    String printed = probe.run("wrap", "n1").text().orElseThrow();
    return String.valueOf(Json.object(printed.strip()).get("outcome"));
  }
}
