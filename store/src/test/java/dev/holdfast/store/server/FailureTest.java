package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Bytes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void aDefectInOneThreadEndsTheWholeStoreSoThatItIsSeen() throws Exception {
    StoreOptions options =
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).withThreads(3);
    try (StoreServer server = StoreServer.start(options, FailureTest::broken);
        TestPeer good = new TestPeer(server.port()).hello();
        TestPeer bad = new TestPeer(server.port())) {
      bad.hex("ff"); // refused, and the log that is told of it breaks
      assertThat(server.awaitFailure()).hasMessage("the log is broken");
      assertThat(good.closed()).isTrue();
    }
  }

  private static void broken(String line) {
    throw new IllegalStateException("the log is broken");
  }

  @Test
  void theStoreAsksForNoMoreThanHalfOfTheHeap() {
    StoreOptions options =
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(options.limits().memory()).isLessThanOrEqualTo(heap / 2);
    assertThat(options.limits().buffers()).isLessThanOrEqualTo(heap / 4);
    assertThatThrownBy(() -> options.withBuffers(Bytes.of(heap)))
        .hasMessageContaining("is not between 1 MiB and half of the memory");
    assertThat(options.withBuffers(Bytes.mebibytes(3)).limits().buffers()).isEqualTo(3 << 20);
  }
}
