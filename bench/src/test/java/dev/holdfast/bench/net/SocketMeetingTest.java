package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in where ranks meet, and what becomes of the others. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SocketMeetingTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static RankSettings settings(int rank, double silence) {
    return new RankSettings(
        "127.0.0.1",
        1,
        "secret",
        rank,
        2,
        "plan",
        Transport.TCP,
        1,
        "",
        RankSeat.NONE,
        "",
        0,
        1024,
        false,
        false,
        silence);
  }

  private static Socket stranger(SocketMeeting meeting) throws IOException {
    Socket stranger = new Socket(HERE, meeting.port());
    stranger.setSoTimeout(60_000);
    return stranger;
  }

  @Test
  void whoDoesNotKnowTheTokenIsTurnedAwayAndForgotten() throws IOException {
    try (SocketMeeting meeting = new SocketMeeting(settings(0, 60), HERE);
        Socket stranger = stranger(meeting)) {
      stranger.getOutputStream().write(new byte[4 * Integer.BYTES + "secret".length()]);
      assertThat(stranger.getInputStream().read()).isEqualTo(-1);
      assertThat(meeting.strangers()).isZero();
    }
  }

  @Test
  void whoSaysNothingIsTurnedAwayInTheEnd() throws IOException {
    try (SocketMeeting meeting = new SocketMeeting(settings(0, 0.1), HERE);
        Socket silent = stranger(meeting)) {
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void onlySoManyMayBeSilentAtOnce() throws IOException {
    try (SocketMeeting meeting = new SocketMeeting(settings(0, 600), HERE, 2);
        Socket first = stranger(meeting);
        Socket second = stranger(meeting);
        Socket third = stranger(meeting)) {
      assertThat(third.getInputStream().read()).isEqualTo(-1);
      assertThat(meeting.strangers()).isEqualTo(2);
      assertThat(first.isConnected() && second.isConnected()).isTrue();
    }
  }

  @Test
  void streamsThatCameAreClosedWhenALaterOneDoesNot() throws IOException {
    try (SocketMeeting meeting = new SocketMeeting(settings(0, 60), HERE);
        SocketChannel came =
            new Greeting(settings(1, 60))
                .connect(0, new InetSocketAddress(HERE, meeting.port()), HERE, 0)) {
      while (meeting.waiting() == 0) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> meeting.await(1, 0, System.nanoTime(), new AtomicReference<>()))
          .hasMessageContaining("did not connect in time");
      assertThat(came.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }
}
