package dev.holdfast.os.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One device and its memory, streams and events, through the driver's own interface. Everything
 * belongs to the process and goes with it; only the thread that opened it may use it.
 */
public final class Cuda {
  private static final String LIBRARY = "libcuda.so.1";
  private static final int NOT_READY = 600;
  private static final int NON_BLOCKING = 1;
  private static final int NAME_BYTES = 256;
  private static final int MOST_TEXT = 4096;

  private final IntFunctions functions;
  private final MemorySegment result = Arena.global().allocate(NAME_BYTES, 16);
  private final String name;

  private Cuda(IntFunctions functions, int device) throws IOException {
    this.functions = functions;
    check("cuInit", 0);
    check("cuDeviceGetCount", result.address());
    int count = result.get(JAVA_INT, 0);
    if (device >= count) {
      throw new IOException("there is no GPU " + device + ": CUDA sees " + count);
    }
    check("cuDeviceGet", result.address(), device);
    int handle = result.get(JAVA_INT, 0);
    check("cuDeviceGetName", result.address(), NAME_BYTES, handle);
    name = result.getString(0);
    // The context every other user of CUDA in this process shares, NCCL among them.
    check("cuDevicePrimaryCtxRetain", result.address(), handle);
    check("cuCtxSetCurrent", result.get(JAVA_LONG, 0));
  }

  /** Opens a device by its number among those this process may see. */
  public static Cuda open(int device) throws IOException {
    IntFunctions functions;
    try {
      functions = new IntFunctions(LIBRARY);
    } catch (IOException missing) {
      throw new IOException(
          LIBRARY + " cannot be loaded: there is no NVIDIA driver here, or this container hides it",
          missing);
    }
    return new Cuda(functions, device);
  }

  /** The device's model. */
  public String name() {
    return name;
  }

  /** Device memory of so many bytes. */
  public long allocate(long bytes) throws IOException {
    check("cuMemAlloc_v2", result.address(), bytes);
    return result.get(JAVA_LONG, 0);
  }

  public void copyIn(MemorySegment from, long to, long bytes) throws IOException {
    check("cuMemcpyHtoD_v2", to, from.address(), bytes);
  }

  public void copyOut(long from, MemorySegment to, long bytes) throws IOException {
    check("cuMemcpyDtoH_v2", to.address(), from, bytes);
  }

  /** The same once the stream comes to it. */
  public void copyIn(MemorySegment from, long to, long bytes, long stream) throws IOException {
    check("cuMemcpyHtoDAsync_v2", to, from.address(), bytes, stream);
  }

  /** The same once the stream comes to it. */
  public void copyOut(long from, MemorySegment to, long bytes, long stream) throws IOException {
    check("cuMemcpyDtoHAsync_v2", to.address(), from, bytes, stream);
  }

  public void fill(long to, byte value, long bytes) throws IOException {
    check("cuMemsetD8_v2", to, value & 0xff, bytes);
  }

  /** Waits for everything this process has the device do. */
  public void await() throws IOException {
    check("cuCtxSynchronize");
  }

  public long stream() throws IOException {
    check("cuStreamCreate", result.address(), NON_BLOCKING);
    return result.get(JAVA_LONG, 0);
  }

  public long event() throws IOException {
    check("cuEventCreate", result.address(), 0);
    return result.get(JAVA_LONG, 0);
  }

  public void record(long event, long stream) throws IOException {
    check("cuEventRecord", event, stream);
  }

  /** Whether the device came past the place where the event was recorded. */
  public boolean passed(long event) throws IOException {
    int code = functions.call("cuEventQuery", event);
    if (code == NOT_READY) {
      return false;
    }
    judge("cuEventQuery", code);
    return true;
  }

  /** The time from one event to a later one. */
  public long nanos(long from, long to) throws IOException {
    check("cuEventElapsedTime", result.address(), from, to);
    return (long) (result.get(JAVA_FLOAT, 0) * 1e6);
  }

  private void check(String function, long... arguments) throws IOException {
    judge(function, functions.call(function, arguments));
  }

  private void judge(String function, int code) throws IOException {
    if (code != 0) {
      throw new IOException("%s failed with code %d: %s".formatted(function, code, words(code)));
    }
  }

  private String words(int code) throws IOException {
    return functions.call("cuGetErrorString", code, result.address()) == 0
        ? text(result.get(ADDRESS, 0))
        : "unknown";
  }

  static String text(MemorySegment address) {
    return address.equals(MemorySegment.NULL) ? "" : address.reinterpret(MOST_TEXT).getString(0);
  }
}
