package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where the other nodes of a job reach this one: what the user said, else the address this machine
 * would use towards the place where the launchers meet. Nothing is sent to find out.
 */
final class OwnAddress {
  private static final String LOOPBACK = "127.0.0.1";

  private OwnAddress() {}

  static String of(JobSpec spec) {
    if (spec.team().maxNodes() == 1 && spec.team().spares() == 0) {
      return LOOPBACK;
    }
    if (!spec.here().address().isEmpty()) {
      return spec.here().address();
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      InetAddress there = InetAddress.getByName(spec.team().host());
      socket.connect(new InetSocketAddress(there, spec.team().port()));
      InetAddress here = socket.getLocalAddress();
      return here.isAnyLocalAddress() ? LOOPBACK : here.getHostAddress();
    } catch (IOException | java.io.UncheckedIOException noWay) {
      return LOOPBACK;
    }
  }
}
