package dev.holdfast.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders and files that somebody else has put there, or may have: OwnFolder, OwnFile. */
class OwnFolderTest {
  private static final int STRANGER = 12_345;

  @TempDir Path place;

  /** A state folder to which everybody can come. */
  private Path folder() throws IOException {
    rights(place, "rwxr-xr-x");
    Path folder = place.resolve("state");
    if (!Files.exists(folder)) {
      OwnFolder.open(folder);
      rights(folder, "rwxr-xr-x");
    }
    return folder;
  }

  private static void rights(Path file, String rights) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
  }

  /** Only root can give a file away. */
  private static void give(Path file) throws IOException {
    assumeTrue(Ownership.Self.USER == 0, "needs root");
    Files.setAttribute(file, "unix:uid", STRANGER, java.nio.file.LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void aFolderIsMadeForItsOwnerAlone() throws IOException {
    Path folder = place.resolve("above").resolve("state");
    OwnFolder.open(folder);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    OwnFolder.open(folder);
  }

  @Test
  void whereEverybodyMayWriteNothingIsKept() throws IOException {
    Path folder = folder();
    rights(folder, "rwxrwxrwx");
    assertThatThrownBy(() -> OwnFolder.open(folder))
        .isInstanceOf(NotOurs.class)
        .hasMessage(
            folder
                + " can be written by others (mode 0777); expected its owner alone to write there:"
                + " chmod -R go-w "
                + folder);
    assertThatThrownBy(() -> OwnFolder.look(folder)).isInstanceOf(NotOurs.class);
  }

  @Test
  void rightsDoNotMatterWhereNobodyElseCanCome() throws IOException {
    Path folder = folder();
    rights(folder, "rwx------");
    rights(Files.writeString(folder.resolve("admin.token"), "hf_x"), "rw-rw-rw-");
    assertThatCode(() -> OwnFolder.open(folder)).doesNotThrowAnyException();
    rights(folder, "rwxr-xr-x");
    assertThatThrownBy(() -> OwnFolder.open(folder)).isInstanceOf(NotOurs.class);
  }

  @Test
  void aFolderAboveThatOthersMayRenameIsRefused() throws IOException {
    Path open = Files.createDirectory(place.resolve("open"));
    rights(open, "rwxrwxrwx");
    assertThatThrownBy(() -> OwnFolder.open(open.resolve("state")))
        .isInstanceOf(NotOurs.class)
        .hasMessageContaining(open + " lets others rename what is in it (mode 0777)")
        .hasMessageEndingWith("chmod go-w " + open);
  }

  @Test
  void aSecretThatOthersMayReadIsRefused() throws IOException {
    Path token = Files.writeString(folder().resolve("admin.token"), "hf_x\n");
    rights(token, "rw-r--r--");
    assertThatThrownBy(() -> OwnFolder.open(folder()))
        .hasMessage(
            token + " can be read by others (mode 0644); expected 0600: chmod 600 " + token);
    rights(token, "rw-------");
    OwnFolder.open(folder());
  }

  @Test
  void whatOthersMayWriteIsRefusedWhateverItsName() throws IOException {
    Path book = Files.writeString(folder().resolve("tokens.json"), "{}");
    rights(book, "rw-rw-rw-");
    assertThatThrownBy(() -> OwnFolder.open(folder())).hasMessageEndingWith("chmod go-w " + book);
  }

  @Test
  void aTokenOfSomebodyElseIsRefused() throws IOException {
    Path token = Files.writeString(folder().resolve("admin.token"), "hf_x\n");
    rights(token, "rw-------");
    give(token);
    assertThatThrownBy(() -> OwnFolder.open(folder()))
        .hasMessageContaining("belongs to")
        .hasMessageContaining("(uid " + STRANGER + ")")
        .hasMessageEndingWith("rm " + token);
  }

  @Test
  void aFolderOfSomebodyElseIsRefusedThoughRootMayReadIt() throws IOException {
    Path folder = folder();
    give(folder);
    assertThatThrownBy(() -> OwnFolder.open(folder)).isInstanceOf(NotOurs.class);
    OwnFolder.look(folder);
    Path note = Files.writeString(folder.resolve("server.json"), "{}");
    Files.setAttribute(note, "unix:uid", STRANGER + 1);
    assertThatThrownBy(() -> OwnFolder.look(folder)).hasMessageContaining("belongs to");
  }

  @Test
  void aLinkToWhatSomebodyElseHasIsRefused() throws IOException {
    Path foreign = Files.writeString(place.resolve("foreign"), "hf_x\n");
    rights(foreign, "rw-------");
    Files.createSymbolicLink(folder().resolve("admin.token"), foreign);
    OwnFolder.open(folder());
    give(foreign);
    assertThatThrownBy(() -> OwnFolder.open(folder())).hasMessageContaining("belongs to");
  }

  @Test
  void anAbsentFolderIsNoReasonNotToLook() throws IOException {
    OwnFolder.look(place.resolve("nowhere"));
  }

  @Test
  void aPathWithBlanksIsQuotedInTheCommand() throws IOException {
    Path odd = Files.createDirectory(place.resolve("it's here"));
    rights(odd, "rwxrwxrwx");
    assertThatThrownBy(() -> OwnFolder.open(odd))
        .hasMessageEndingWith("chmod -R go-w '" + place + "/it'\\''s here'");
  }

  @Test
  void aLogIsNotWrittenThroughALink() throws IOException {
    Path victim = Files.writeString(place.resolve("victim"), "before");
    Path log = place.resolve("stdout.log");
    Files.createSymbolicLink(log, victim);
    assertThatThrownBy(() -> OwnFile.append(log))
        .hasMessage(log + " is a link; expected a file of ours to write to: rm " + log);
    assertThat(victim).hasContent("before");
    Files.delete(log);
    Files.createSymbolicLink(log, place.resolve("not there"));
    assertThatThrownBy(() -> OwnFile.append(log)).isInstanceOf(NotOurs.class);
    assertThat(place.resolve("not there")).doesNotExist();
  }

  @Test
  void aLogGoesOnWhereItEnded() throws IOException {
    for (String word : new String[] {"one ", "two"}) {
      try (FileChannel log = OwnFile.append(place.resolve("log"))) {
        log.write(ByteBuffer.wrap(word.getBytes(StandardCharsets.UTF_8)));
      }
    }
    assertThat(place.resolve("log")).hasContent("one two");
  }

  @Test
  void aFileOrFolderOfSomebodyElseTakesNoLog() throws IOException {
    Path log = Files.writeString(place.resolve("log"), "");
    give(log);
    assertThatThrownBy(() -> OwnFile.append(log)).hasMessageContaining("belongs to");
    Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
    Path attempt = Files.createSymbolicLink(place.resolve("attempt_0"), elsewhere);
    OwnFile.append(attempt.resolve("log")).close();
    give(attempt);
    assertThatThrownBy(() -> OwnFile.append(attempt.resolve("second")))
        .hasMessageContaining("is a link of");
    assertThat(elsewhere.resolve("second")).doesNotExist();
  }

  @Test
  void aReportReplacesALinkAndNotWhatItLeadsTo() throws IOException {
    Path victim = Files.writeString(place.resolve("victim"), "before");
    Path page = Files.createSymbolicLink(place.resolve("report.html"), victim);
    AtomicFile.replace(page, "after".getBytes(StandardCharsets.UTF_8));
    assertThat(victim).hasContent("before");
    assertThat(page).hasContent("after");
  }
}
