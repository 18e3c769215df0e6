package dev.holdfast.launch.supervise;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The console that is our own standard output and error, where a write that fails says so. */
public final class StandardStreams implements Console {
  private final OutputStream output = new FileOutputStream(FileDescriptor.out);
  private final OutputStream error = new FileOutputStream(FileDescriptor.err);

  @Override
  public void write(boolean toError, byte[] bytes, int length) throws IOException {
    (toError ? error : output).write(bytes, 0, length);
  }
}
