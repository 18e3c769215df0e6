package dev.holdfast.os.process;

import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.libc.Exec;
import dev.holdfast.os.libc.MemoryPolicy;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;

/**
 * A program to be started on certain CPUs and with a certain memory policy. The thread that starts
 * it is bound first, so the program is bound from its first instruction on and there is no moment
 * in which it allocates memory elsewhere.
 *
 * @param variables set on top of the inherited environment
 * @param memory none: what the program would have had anyway
 */
public record BoundProcess(
    List<String> command,
    Map<String, String> variables,
    BitSet cpus,
    Optional<MemoryPolicy> memory) {

  /**
   * What the kernel made of it.
   *
   * @param inherited where the starting thread ran, and so the program at its start, as /proc says
   * @param memoryRefused why the memory policy was not taken, if it was not
   */
  public record Started(
      Process process, Optional<Placement> inherited, Optional<String> memoryRefused) {}

  /** Starts the program beside this one, with our standard streams. */
  public Started start() throws IOException {
    return start((_, _) -> {});
  }

  /**
   * Starts the program beside this one, with our standard streams.
   *
   * @param look sees what became of the binding, and why memory was refused if it was, before the
   *     program starts; if it throws, nothing is started
   * @throws NotStarted when the binding was taken and the program is at fault
   */
  public Started start(BiConsumer<Optional<Placement>, Optional<String>> look) throws IOException {
    CompletableFuture<Started> answer = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("bound start")
        .daemon()
        .start(
            () -> {
              try {
                Optional<String> refused = bind();
                Optional<Placement> inherited = Placement.of("thread-self");
                look.accept(inherited, refused);
                answer.complete(new Started(begin(), inherited, refused));
              } catch (IOException | RuntimeException | Error problem) {
                answer.completeExceptionally(problem);
              }
            });
    try {
      return answer.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException problem) {
        throw problem;
      }
      if (failed.getCause() instanceof RuntimeException problem) {
        throw problem;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private Process begin() throws NotStarted {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(variables);
    try {
      return builder.start();
    } catch (IOException problem) {
      throw new NotStarted(command.getFirst(), problem);
    }
  }

  /** Binds the calling thread and tells why memory was refused, if it was. */
  public Optional<String> bind() throws IOException {
    CpuAffinity.bind(cpus);
    if (memory.isEmpty()) {
      return Optional.empty();
    }
    try {
      memory.get().apply();
      return Optional.empty();
    } catch (IOException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  /** Becomes the program; the calling thread was bound before. Returns only by throwing. */
  public void become() throws NotStarted {
    try {
      Exec.replace(command.getFirst(), OwnArguments.bytes(command), variables);
    } catch (IOException problem) {
      throw new NotStarted(command.getFirst(), problem);
    }
  }
}
