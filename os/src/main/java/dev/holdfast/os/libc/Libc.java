package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The downcalls into the C library. Each method is one call; a result below zero is the negated
 * errno, as the kernel itself returns it, so that no caller can read a stale one.
 *
 * <p>The functions used here return an int and take up to six arguments that are integers or
 * pointers. On 64-bit Linux (x86-64 and arm64) these travel in the same registers whatever their
 * width, and a function does not look at registers beyond its own parameters. So one handle serves
 * them all; each further one would add to the start of every command.
 */
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  /** Numbers of system calls the C library has no function for. */
  static final int SET_MEMPOLICY = ARM ? 237 : 238;

  static final int GET_MEMPOLICY = ARM ? 236 : 239;

  static final int FUTEX = ARM ? 98 : 202;

  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  /** {@code int function(…)}, with errno kept */
  private record Calls(MethodHandle any) {}

  private static final Calls CALLS =
      new Calls(
          LINKER.downcallHandle(
              FunctionDescriptor.of(
                  JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.captureCallState("errno")));

  private static final Map<String, MemorySegment> FOUND = new ConcurrentHashMap<>();

  private Libc() {}

  /** {@code int klogctl(int type, char *buffer, int length)} */
  static int kernelLog(int type, MemorySegment buffer, int length) {
    return call("klogctl", type, buffer.address(), length);
  }

  /** {@code int adjtimex(struct timex *)} */
  static int adjustTime(MemorySegment timex) {
    return call("adjtimex", timex.address(), 0, 0);
  }

  /** {@code int clock_gettime(clockid_t clock, struct timespec *)} */
  static int clock(int clock, MemorySegment timespec) {
    return call("clock_gettime", clock, timespec.address(), 0);
  }

  /** {@code int statvfs(const char *path, struct statvfs *)} */
  static int fileSystem(MemorySegment path, MemorySegment statvfs) {
    return call("statvfs", path.address(), statvfs.address(), 0);
  }

  /** {@code int pipe2(int descriptors[2], int flags)} */
  static int pipe(MemorySegment descriptors, int flags) {
    return call("pipe2", descriptors.address(), flags, 0);
  }

  /** {@code int close(int descriptor)} */
  static int close(int descriptor) {
    return call("close", descriptor, 0, 0);
  }

  /** {@code int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *)} */
  static int setAffinity(int thread, MemorySegment mask) {
    return call("sched_setaffinity", thread, mask.byteSize(), mask.address());
  }

  /** {@code int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *)} */
  static int affinity(int thread, MemorySegment mask) {
    return call("sched_getaffinity", thread, mask.byteSize(), mask.address());
  }

  /** {@code long set_mempolicy(int mode, const unsigned long *nodes, unsigned long bits)} */
  static int setMemoryPolicy(int mode, MemorySegment nodes, long bits) {
    return call("syscall", SET_MEMPOLICY, mode, nodes.address(), bits, 0, 0);
  }

  /** {@code long get_mempolicy(int *mode, unsigned long *nodes, unsigned long bits, …)} */
  static int memoryPolicy(MemorySegment mode, MemorySegment nodes, long bits) {
    return call("syscall", GET_MEMPOLICY, mode.address(), nodes.address(), bits, 0, 0);
  }

  /** {@code long futex(uint32_t *word, int operation, uint32_t value, struct timespec *, …)} */
  static int futex(MemorySegment word, int operation, int value, MemorySegment timeout) {
    return call("syscall", FUTEX, word.address(), operation, value, timeout.address(), 0);
  }

  /** {@code int pthread_sigmask(int how, const sigset_t *new, sigset_t *old)} */
  static int signalMask(int how, MemorySegment fresh, MemorySegment old) {
    // Returns the error itself and leaves errno alone.
    return -call("pthread_sigmask", how, fresh.address(), old.address());
  }

  /** {@code int fcntl(int descriptor, int command, int argument)} */
  static int control(int descriptor, int command, int argument) {
    return call("fcntl", descriptor, command, argument);
  }

  /** {@code int ioctl(int descriptor, unsigned long request, void *argument)} */
  static int deviceControl(int descriptor, int request, MemorySegment argument) {
    return call("ioctl", descriptor, request, argument.address());
  }

  /** {@code int socket(int family, int type, int protocol)} */
  static int socket(int family, int type) {
    return call("socket", family, type, 0);
  }

  /** {@code ssize_t sendto(int socket, buffer, size_t length, int flags, address, length)} */
  static int sendTo(
      int socket, MemorySegment buffer, int length, int flags, MemorySegment address, int size) {
    return call("sendto", socket, buffer.address(), length, flags, address.address(), size);
  }

  /** {@code int setenv(const char *name, const char *value, int overwrite)} */
  static int setEnvironment(MemorySegment name, MemorySegment value) {
    return call("setenv", name.address(), value.address(), 1);
  }

  /** {@code int execvp(const char *program, char *const arguments[])} */
  static int execute(MemorySegment program, MemorySegment arguments) {
    return call("execvp", program.address(), arguments.address(), 0);
  }

  /** {@code ssize_t read(int descriptor, void *buffer, size_t length)}, below 2 GiB */
  static int read(int descriptor, MemorySegment buffer, int length) {
    return call("read", descriptor, buffer.address(), length);
  }

  /** {@code ssize_t write(int descriptor, const void *buffer, size_t length)}, below 2 GiB */
  static int write(int descriptor, MemorySegment buffer, int length) {
    return call("write", descriptor, buffer.address(), length);
  }

  /** {@code int poll(struct pollfd *, nfds_t count, int milliseconds)} */
  static int poll(MemorySegment polled, int count, int milliseconds) {
    return call("poll", polled.address(), count, milliseconds);
  }

  /** {@code int eventfd(unsigned int start, int flags)} */
  static int event(int flags) {
    return call("eventfd", 0, flags, 0);
  }

  /** {@code mode_t umask(mode_t mask)}, which gives the one before */
  static int creationMask(int mask) {
    return call("umask", mask, 0, 0);
  }

  /** {@code int kill(pid_t process, int signal)} */
  static int kill(long process, int signal) {
    return call("kill", process, signal, 0);
  }

  /** {@code int prctl(int option, unsigned long value, …)} */
  static int processControl(int option, long value) {
    return call("prctl", option, value, 0, 0, 0, 0);
  }

  /** {@code int waitid(idtype_t kind, id_t id, siginfo_t *, int options)} */
  static int await(int kind, long id, MemorySegment information, int options) {
    return call("waitid", kind, id, information.address(), options, 0, 0);
  }

  /** One of the functions of {@code posix_spawn}, which return the error itself. */
  static int spawn(String function, long first, long second, long third, long fourth) {
    return -call(function, first, second, third, fourth, 0, 0);
  }

  /** {@code int posix_spawn(pid_t *, path, actions, attributes, arguments[], environment[])} */
  static int spawn(
      MemorySegment process,
      MemorySegment path,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment arguments,
      MemorySegment environment) {
    return -call(
        "posix_spawn",
        process.address(),
        path.address(),
        actions.address(),
        attributes.address(),
        arguments.address(),
        environment.address());
  }

  static boolean has(String function) {
    return SYMBOLS.find(function).isPresent();
  }

  private static MemorySegment find(String function) {
    return SYMBOLS
        .find(function)
        .orElseThrow(() -> new LinkageError("the C library has no function " + function));
  }

  private static int call(String function, long first, long second, long third) {
    return call(function, first, second, third, 0, 0, 0);
  }

  private static int call(
      String function, long first, long second, long third, long fourth, long fifth, long sixth) {
    MemorySegment address = FOUND.computeIfAbsent(function, Libc::find);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int result =
          (int) CALLS.any.invokeExact(address, state, first, second, third, fourth, fifth, sixth);
      return result < 0 ? -state.get(JAVA_INT, ERRNO_OFFSET) : result;
    } catch (RuntimeException | Error problem) {
      throw problem;
    } catch (Throwable problem) {
      throw new IllegalStateException("calling " + function, problem);
    }
  }
}
