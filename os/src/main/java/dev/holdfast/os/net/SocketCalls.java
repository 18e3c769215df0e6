package dev.holdfast.os.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The downcalls of one thread into the C library's sockets. A result below zero is the negated
 * errno. Each thread has its own, because errno is handed over in a place of its own.
 */
final class SocketCalls {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private static final MethodHandle SOCKET =
      handle("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = handle("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle CONNECT =
      handle("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = handle("listen", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle OPTION =
      handle("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle NAME =
      handle("getsockname", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle ACCEPT =
      handle("accept4", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle RECEIVE =
      handle("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND =
      handle("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle CLOSE = handle("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle EPOLL = handle("epoll_create1", JAVA_INT, JAVA_INT);
  private static final MethodHandle CONTROL =
      handle("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle WAIT =
      handle("epoll_wait", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle EVENT = handle("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle EVENT_WRITE =
      handle("eventfd_write", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle EVENT_READ =
      handle("eventfd_read", JAVA_INT, JAVA_INT, ADDRESS);

  private final MemorySegment state;

  SocketCalls(Arena arena) {
    this.state = arena.allocate(Linker.Option.captureStateLayout());
  }

  private static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"));
  }

  private int checked(int result) {
    return result < 0 ? -state.get(JAVA_INT, ERRNO) : result;
  }

  int socket(int family, int type) {
    try {
      return checked((int) SOCKET.invokeExact(state, family, type, 0));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int bind(int descriptor, MemorySegment address, int length) {
    try {
      return checked((int) BIND.invokeExact(state, descriptor, address, length));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int connect(int descriptor, MemorySegment address, int length) {
    try {
      return checked((int) CONNECT.invokeExact(state, descriptor, address, length));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int listen(int descriptor, int backlog) {
    try {
      return checked((int) LISTEN.invokeExact(state, descriptor, backlog));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int option(int descriptor, int level, int name, MemorySegment value) {
    try {
      return checked(
          (int) OPTION.invokeExact(state, descriptor, level, name, value, (int) value.byteSize()));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int name(int descriptor, MemorySegment address, MemorySegment length) {
    try {
      return checked((int) NAME.invokeExact(state, descriptor, address, length));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int accept(int descriptor, MemorySegment address, MemorySegment length, int flags) {
    try {
      return checked((int) ACCEPT.invokeExact(state, descriptor, address, length, flags));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int receive(int descriptor, MemorySegment buffer, long length) {
    try {
      long result = (long) RECEIVE.invokeExact(state, descriptor, buffer, length, 0);
      return checked((int) result);
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int send(int descriptor, MemorySegment buffer, long length, int flags) {
    try {
      long result = (long) SEND.invokeExact(state, descriptor, buffer, length, flags);
      return checked((int) result);
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int close(int descriptor) {
    try {
      return checked((int) CLOSE.invokeExact(state, descriptor));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int epoll(int flags) {
    try {
      return checked((int) EPOLL.invokeExact(state, flags));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int control(int epoll, int operation, int descriptor, MemorySegment event) {
    try {
      return checked((int) CONTROL.invokeExact(state, epoll, operation, descriptor, event));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int await(int epoll, MemorySegment events, int capacity, int milliseconds) {
    try {
      return checked((int) WAIT.invokeExact(state, epoll, events, capacity, milliseconds));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int event(int flags) {
    try {
      return checked((int) EVENT.invokeExact(state, 0, flags));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int eventWrite(int descriptor) {
    try {
      return checked((int) EVENT_WRITE.invokeExact(state, descriptor, 1L));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  int eventRead(int descriptor, MemorySegment value) {
    try {
      return checked((int) EVENT_READ.invokeExact(state, descriptor, value));
    } catch (Throwable impossible) {
      throw failed(impossible);
    }
  }

  private static RuntimeException failed(Throwable impossible) {
    if (impossible instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("a call into the C library failed", impossible);
  }
}
