package dev.holdfast.cli.console;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How errors are told: the code, what happened, what to do. */
public final class Failures {
  /** The reader of our output went away; said as shells do. */
  public static final int BROKEN_PIPE = 141;

  private Failures() {}

  /** Why a file could not be used, in words rather than by the name of an exception. */
  public static String why(IOException problem) {
    return switch (problem) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or folder";
      case FileSystemException named when named.getReason() != null -> named.getReason();
      default -> String.valueOf(problem.getMessage());
    };
  }

  /** A daemon that cannot start: it is the address, or a file of its folder. */
  public static HoldfastException start(IOException problem) {
    boolean address = problem instanceof SocketException || problem instanceof UnknownHostException;
    return new HoldfastException(
        address ? ErrorCode.CANNOT_SERVE : ErrorCode.STATE_FILE, named(problem), problem);
  }

  /** With the file it is about, where that does not stand in the words. */
  private static String named(IOException problem) {
    String file =
        problem instanceof FileSystemException of && of.getFile() != null ? of.getFile() : "";
    String why = why(problem);
    return file.isEmpty() || why.contains(file) ? why : file + ": " + why;
  }

  /** The answer could not be written. A reader that went knows; anything else is said. */
  public static int unwritten(Console console) {
    String why = console.outputFailure().map(Failures::why).orElse("Broken pipe");
    if (why.contains("Broken pipe")) {
      return BROKEN_PIPE;
    }
    return failed(
        console,
        new HoldfastException(ErrorCode.CANNOT_WRITE, "the answer was not written: " + why));
  }

  public static int usage(Console console, ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    console.message(ErrorCode.WRONG_USAGE.code() + " " + words(problem));
    if (!UnmatchedArgumentException.printSuggestions(problem, command.getErr())) {
      console.err().text("Try: " + command.getCommandSpec().qualifiedName() + " --help\n");
    }
    return ErrorCode.WRONG_USAGE.kind().exitCode();
  }

  /** The values of an option are told as they are written in the help: in small letters. */
  private static String words(ParameterException problem) {
    return Pattern.compile("expected one of \\[([A-Z_, ]+)\\] \\(case-insensitive\\)")
        .matcher(String.valueOf(problem.getMessage()))
        .replaceAll(match -> "expected one of " + match.group(1).toLowerCase(Locale.ROOT));
  }

  public static int failed(Console console, Exception problem) {
    HoldfastException told =
        problem instanceof HoldfastException known
            ? known
            : new HoldfastException(ErrorCode.DEFECT, problem.toString(), problem);
    console.message(told.code().code() + " " + told.detail());
    console.err().text("  " + told.code().remedy() + "\n");
    if (System.getenv("HOLDFAST_DEBUG") != null) {
      console.err().trace(problem);
    }
    return told.code().kind().exitCode();
  }
}
