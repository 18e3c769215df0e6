package dev.holdfast.peers;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/**
 * The store of libtorch as a server of its own: {@code libuv} or {@code old} names its backend,
 * {@code unpack} only unpacks the libraries. Says which port it has and ends with its input.
 *
 * <p>Unpacking is a run of its own because, seen on JDK 25, the process that unpacks the libraries
 * and loads them at once dies in the dynamic linker; the next one does not.
 */
public final class LibtorchServer {
  private LibtorchServer() {}

  public static void main(String[] arguments) throws IOException {
    TCPStoreOptions options = new TCPStoreOptions();
    if (arguments[0].equals("unpack")) {
      return;
    }
    options.port((short) 0);
    options.isServer(true);
    options.waitWorkers(false);
    options.useLibUV(arguments[0].equals("libuv"));
    options.timeout(new Milliseconds(60_000));
    TCPStore store = new TCPStore("127.0.0.1", options);
    try (FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        InputStream input = new FileInputStream(FileDescriptor.in)) {
      int port = Short.toUnsignedInt((short) store.getPort());
      output.write(("serving on port " + port + "\n").getBytes(StandardCharsets.UTF_8));
      while (input.read() >= 0) {
        // until whoever started this closes the pipe
      }
    } finally {
      // A native store ends when nobody in Java holds it any more.
      Reference.reachabilityFence(options);
      Reference.reachabilityFence(store);
    }
    Runtime.getRuntime().halt(0);
  }
}
