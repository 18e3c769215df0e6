package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.NotOurs;
import dev.holdfast.os.file.OwnFolder;
import java.io.IOException;
import java.nio.file.Path;

/** A state folder, used only if nobody else can have put there what we would obey. */
final class StateFolder {
  private StateFolder() {}

  /** The same folder, made if it was missing. */
  static Path own(Path folder) {
    try {
      OwnFolder.open(folder);
      return folder;
    } catch (NotOurs planted) {
      throw refused(planted);
    } catch (IOException unusable) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, folder + ": " + Failures.why(unusable), unusable);
    }
  }

  /** The same folder, which need not be there. */
  static Path look(Path folder) {
    try {
      OwnFolder.look(folder);
      return folder;
    } catch (NotOurs planted) {
      throw refused(planted);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, folder + ": " + Failures.why(unreadable), unreadable);
    }
  }

  private static HoldfastException refused(NotOurs planted) {
    return new HoldfastException(ErrorCode.NOT_OURS, planted.getMessage(), planted);
  }
}
