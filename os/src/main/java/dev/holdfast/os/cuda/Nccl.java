package dev.holdfast.os.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/**
 * NCCL: one communicator and what it does on a stream. Calls only put work on the stream; they
 * return before it is done. All of a process's calls come from one thread.
 */
public final class Nccl {
  /** The types of elements, by NCCL's numbers. */
  public static final int INT32 = 2;

  public static final int FLOAT32 = 7;
  public static final int BFLOAT16 = 9;

  private static final int SUM = 0;
  private static final int IN_PROGRESS = 7;
  private static final int ID_BYTES = 128;
  private static final MemoryLayout ID = MemoryLayout.sequenceLayout(ID_BYTES, JAVA_BYTE);

  private final IntFunctions functions;
  private final MemorySegment result = Arena.global().allocate(16, 16);
  private long communicator;
  private long stream;

  public Nccl(String library) throws IOException {
    functions = new IntFunctions(library);
  }

  /** Such as 2.28.9. */
  public String version() throws IOException {
    check("ncclGetVersion", result.address());
    int version = result.get(JAVA_INT, 0);
    // Up to 2.8 the minor version had one digit less.
    int major = version >= 10_000 ? version / 10_000 : version / 1000;
    int minor = version >= 10_000 ? version / 100 % 100 : version / 100 % 10;
    return "%d.%d.%d".formatted(major, minor, version % 100);
  }

  /** What all ranks of a new communicator must know, in hexadecimal; one of them makes it. */
  public String newId() throws IOException {
    MemorySegment id = Arena.ofAuto().allocate(ID_BYTES, 16);
    check("ncclGetUniqueId", id.address());
    return HexFormat.of().formatHex(id.toArray(JAVA_BYTE));
  }

  /** Waits until all ranks are here. */
  public void join(String id, int rank, int ranks, long onStream) throws IOException {
    stream = onStream;
    MemorySegment bytes =
        Arena.ofAuto().allocate(MemoryLayout.structLayout(ID.withName("internal")));
    MemorySegment.copy(HexFormat.of().parseHex(id), 0, bytes, JAVA_BYTE, 0, ID_BYTES);
    int code;
    try {
      code =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(
                      functions.address("ncclCommInitRank"),
                      FunctionDescriptor.of(
                          JAVA_INT,
                          ADDRESS,
                          JAVA_INT,
                          MemoryLayout.structLayout(ID.withName("internal")),
                          JAVA_INT))
                  .invokeExact(result, ranks, bytes, rank);
    } catch (IOException missing) {
      throw missing;
    } catch (Throwable problem) {
      throw new IllegalStateException("ncclCommInitRank", problem);
    }
    judge("ncclCommInitRank", code);
    communicator = result.get(JAVA_LONG, 0);
  }

  public void allReduce(long from, long to, long count, int type) throws IOException {
    check("ncclAllReduce", from, to, count, type, SUM, communicator, stream);
  }

  /**
   * @param count of the elements of one rank
   */
  public void allGather(long from, long to, long count, int type) throws IOException {
    check("ncclAllGather", from, to, count, type, communicator, stream);
  }

  /**
   * @param count of the elements of one rank
   */
  public void reduceScatter(long from, long to, long count, int type) throws IOException {
    check("ncclReduceScatter", from, to, count, type, SUM, communicator, stream);
  }

  public void broadcast(long from, long to, long count, int type, int root) throws IOException {
    check("ncclBroadcast", from, to, count, type, root, communicator, stream);
  }

  public void reduce(long from, long to, long count, int type, int root) throws IOException {
    check("ncclReduce", from, to, count, type, SUM, root, communicator, stream);
  }

  public void send(long from, long count, int type, int peer) throws IOException {
    check("ncclSend", from, count, type, peer, communicator, stream);
  }

  public void receive(long to, long count, int type, int peer) throws IOException {
    check("ncclRecv", to, count, type, peer, communicator, stream);
  }

  /** Sends and receives from here to {@link #end} happen at once. */
  public void begin() throws IOException {
    check("ncclGroupStart");
  }

  public void end() throws IOException {
    check("ncclGroupEnd");
  }

  /** Throws what went wrong since, in the network for example. */
  public void throwTroubles() throws IOException {
    check("ncclCommGetAsyncError", communicator, result.address());
    int code = result.get(JAVA_INT, 0);
    if (code != IN_PROGRESS) {
      judge("NCCL", code);
    }
  }

  private void check(String function, long... arguments) throws IOException {
    judge(function, functions.call(function, arguments));
  }

  private void judge(String function, int code) throws IOException {
    if (code != 0) {
      String last = text("ncclGetLastError", communicator).strip();
      throw new IOException(
          "%s failed: %s%s%s"
              .formatted(
                  function,
                  text("ncclGetErrorString", code),
                  last.isEmpty() ? "" : " (" + last + ")",
                  "; NCCL_DEBUG=WARN tells more"));
    }
  }

  /** The text a function returns; it is NCCL's and stays. */
  private String text(String function, long argument) throws IOException {
    try {
      return Cuda.text(
          (MemorySegment)
              Linker.nativeLinker()
                  .downcallHandle(
                      functions.address(function), FunctionDescriptor.of(ADDRESS, JAVA_LONG))
                  .invokeExact(argument));
    } catch (IOException missing) {
      return "";
    } catch (Throwable problem) {
      throw new IllegalStateException(function, problem);
    }
  }
}
