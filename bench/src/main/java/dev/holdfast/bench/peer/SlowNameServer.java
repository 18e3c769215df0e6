package dev.holdfast.bench.peer;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * A name server on the loopback that knows no name and takes its time to say so, as one in another
 * building does.
 *
 * <p>One that never answers would measure less: PyTorch's server gives up asking for names after
 * the first failure, ten seconds later, and "there is no such name" is none.
 */
final class SlowNameServer implements AutoCloseable {
  /** Nothing on a machine uses this loopback address. */
  static final String ADDRESS = "127.29.53.1";

  static final int DELAY_MILLIS = 20;
  private static final int PORT = 53;
  private static final int HEADER = 12;
  private static final int MOST = 512;

  private final DatagramSocket socket;

  SlowNameServer() throws IOException {
    socket = new DatagramSocket(new InetSocketAddress(InetAddress.getByName(ADDRESS), PORT));
    Thread.ofPlatform().name("name server").daemon().start(this::serve);
  }

  private void serve() {
    byte[] buffer = new byte[MOST];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(packet);
        byte[] answer = answer(Arrays.copyOf(buffer, packet.getLength()));
        DatagramPacket reply = new DatagramPacket(answer, answer.length, packet.getSocketAddress());
        Thread.ofVirtual().start(() -> sendLater(reply));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void sendLater(DatagramPacket reply) {
    try {
      Thread.sleep(DELAY_MILLIS);
      socket.send(reply);
    } catch (IOException | InterruptedException ended) {
      // whoever asked asks again
    }
  }

  /** The question, marked as answered: there is no such name. */
  static byte[] answer(byte[] question) {
    byte[] answer = question.clone();
    if (answer.length >= HEADER) {
      answer[2] = (byte) 0x81;
      answer[3] = (byte) 0x83;
    }
    return answer;
  }

  @Override
  public void close() {
    socket.close();
  }
}
