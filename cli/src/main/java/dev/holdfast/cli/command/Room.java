package dev.holdfast.cli.command;

import dev.holdfast.cli.command.Preflight.Item;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.text.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Can a folder be written, and is there room? Found out by writing a file that is gone at once, on
 * a thread that is left behind when the file system's server does not answer.
 */
final class Room {
  private static final long LEAST = 100L << 20;
  private static final long ENOUGH = 1L << 30;
  private static final int SECONDS = 10;

  private Room() {}

  static Item of(String name, Path folder) {
    CompletableFuture<Item> answer = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name("room").start(() -> answer.complete(look(name, folder)));
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException silent) {
      return Item.fail(
          name,
          "%s: no answer within %d s".formatted(folder, SECONDS),
          "`df " + folder + "` from another shell; choose a folder on another file system");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Item.skip(name, "interrupted");
    }
  }

  private static Item look(String name, Path folder) {
    try {
      Path there = existing(folder);
      Path probe = Files.createTempFile(there, ".holdfast", ".probe");
      try {
        Files.writeString(probe, "x".repeat(4096));
      } finally {
        Files.deleteIfExists(probe);
      }
      return judged(name, folder, Files.getFileStore(there).getUsableSpace());
    } catch (IOException refused) {
      return Item.fail(
          name,
          "%s cannot be written: %s".formatted(folder, Failures.why(refused)),
          "choose another folder, or make it writable for this user");
    }
  }

  /** The folder, or the one above in which it would be made. */
  private static Path existing(Path folder) {
    Path there = folder.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return there;
  }

  static Item judged(String name, Path folder, long free) {
    String found = "%s, %s free".formatted(folder, Bytes.of(free));
    String fix = "make room (`df -h " + folder + "`) or choose another folder";
    if (free < LEAST) {
      return Item.fail(name, found, fix);
    }
    return free < ENOUGH ? Item.warn(name, found, fix) : Item.pass(name, found);
  }
}
