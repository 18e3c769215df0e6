package dev.holdfast.store.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers on the wire: little-endian, as every machine that trains has them. */
public final class Numbers {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Numbers() {}

  public static long read64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static void write64(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  public static int read32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }
}
