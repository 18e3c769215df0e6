package dev.holdfast.cli.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of what the launcher needs of a checkout, in a machine of its own: a PATH without Java and
 * Maven, an empty home and, in place of Maven, a script that delivers the jars of this build.
 */
final class Checkout {
  private static final Path ROOT =
      Path.of(System.getProperty("holdfast.root", "..")).toAbsolutePath();
  private static final long DEADLINE_SECONDS = 300;

  /** All that launcher and build script may use. */
  private static final List<String> PROGRAMS =
      ("chmod cp date dirname find flock grep head ln ls mkdir mktemp mv readlink rm sed setpriv"
              + " sleep tail timeout touch")
          .transform(names -> List.of(names.split(" ")));

  private final Path folder;
  private final Map<String, String> environment = new TreeMap<>();

  /** Makes a checkout in an empty folder. */
  Checkout(Path folder) throws IOException {
    this.folder = folder;
    copyLauncher();
    offerPrograms();
    Files.createDirectories(folder.resolve("home/.jdks"));
    environment.put("PATH", folder.resolve("bin").toString());
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    maven("cp -p '" + ROOT + "'/cli/target/jars/*.jar cli/target/jars/");
  }

  private void copyLauncher() throws IOException {
    Files.createDirectories(source().getParent());
    Files.writeString(source(), "class Example {}\n");
    Files.writeString(root().resolve("pom.xml"), "<project/>\n");
    Files.writeString(root().resolve("core/pom.xml"), "<project/>\n");
    Files.copy(ROOT.resolve("holdfast"), launcher(), StandardCopyOption.COPY_ATTRIBUTES);
    Path dev = Files.createDirectories(root().resolve("dev"));
    for (String file : List.of("UpgradeClassFiles.java", "assemble", "java.options")) {
      Files.copy(
          ROOT.resolve("dev").resolve(file), dev.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(dev.resolve("training"), "version\n");
    for (String folder : List.of("python/holdfast", "python/sitecustomize")) {
      Files.writeString(Files.createDirectories(root().resolve(folder)).resolve("nothing.py"), "");
    }
    // The machine's own JDKs are out of sight; the home's .jdks folder is what a test fills.
    String build = Files.readString(ROOT.resolve("dev/build.sh"));
    String hidden = build.replace("for folder in /usr/lib/jvm /usr/java /opt ", "for folder in ");
    if (hidden.equals(build)) {
      throw new IllegalStateException(
          "dev/build.sh no longer lists the folders as this test expects");
    }
    Files.writeString(dev.resolve("build.sh"), hidden);
  }

  private void offerPrograms() throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    for (String program : PROGRAMS) {
      script(bin.resolve(program), "exec /usr/bin/" + program + " \"$@\"");
    }
  }

  Path root() {
    return folder.resolve("a checkout");
  }

  Path launcher() {
    return root().resolve("holdfast");
  }

  Path source() {
    return root().resolve("core/src/main/java/Example.java");
  }

  Path log() {
    return root().resolve(".holdfast/build.log");
  }

  /** Puts the JDK of this test where the launcher looks last. */
  Checkout withJdk() throws IOException {
    Files.createSymbolicLink(
        folder.resolve("home/.jdks/current"), Path.of(System.getProperty("java.home")));
    return this;
  }

  /** Takes the one link that leads out of the folder away, lest its removal worry anyone. */
  void forgetJdk() throws IOException {
    Files.deleteIfExists(folder.resolve("home/.jdks/current"));
  }

  /** Puts a JDK that only claims a version first on the PATH. */
  Checkout withOldJdkOnPath(String version) throws IOException {
    Path jdk = Files.createDirectories(folder.resolve("jdk-" + version));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path bin = Files.createDirectories(jdk.resolve("bin"));
    script(bin.resolve("java"), "echo 'the wrong java was started'; exit 9");
    script(bin.resolve("javac"), "exit 9");
    environment.merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    return this;
  }

  /** What the stand-in for Maven does, from the root of the checkout; its calls are counted. */
  Checkout maven(String body) throws IOException {
    script(
        folder.resolve("bin/mvn"),
        "echo called >>'" + folder + "/maven-calls'; mkdir -p cli/target/jars; " + body);
    return this;
  }

  Checkout withoutMaven() throws IOException {
    Files.delete(folder.resolve("bin/mvn"));
    return this;
  }

  long mavenCalls() throws IOException {
    Path calls = folder.resolve("maven-calls");
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  Checkout with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Every file of the checkout with its time and size. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        var attributes = Files.readAttributes(file, "lastModifiedTime,size");
        state.put(file.toString(), attributes.toString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return state;
  }

  /** What a call came to. */
  record Answer(int code, String out, String err) {}

  /** A call under way; its output goes to files, so that nobody has to drain it. */
  record Call(Process process, Path out, Path err) {
    Answer answer() throws IOException, InterruptedException {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        killAll();
        throw new AssertionError("no answer in time; stderr: " + Files.readString(err));
      }
      return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Ends the call and all it started at once, as a machine that loses power would. */
    void killAll() throws InterruptedException {
      List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
      family.addFirst(process.toHandle());
      family.forEach(ProcessHandle::destroyForcibly);
      process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  Answer run(String... command) throws IOException, InterruptedException {
    return start(command).answer();
  }

  /** Starts a command from a folder that is not the checkout. */
  Call start(String... command) throws IOException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new Call(builder.start(), out, err);
  }

  Answer holdfast(String... arguments) throws IOException, InterruptedException {
    return run(
        Stream.concat(Stream.of(launcher().toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  static void script(Path file, String body) throws IOException {
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
