package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.testing.Compiler;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Are the sizes, offsets and numbers in our code those of the C headers? */
class SocketLayoutsTest {
  @TempDir Path folder;

  @Test
  void sizesOffsetsAndNumbersAreThoseOfTheHeaders() {
    Path source = Compiler.source(SocketLayoutsTest.class, "sockets.c", folder);
    Path program = folder.resolve("sockets");
    Compiler.compile(List.of("-o", program.toString(), source.toString()));
    assertThat(Compiler.numbers(program))
        .containsEntry("epoll_event", Poller.EVENT_BYTES)
        .containsEntry("epoll_event.data", Poller.DATA)
        .containsEntry("sockaddr_in6", Poller.ADDRESS_BYTES)
        .containsEntry("sockaddr_in6.port", 2)
        .containsEntry("sockaddr_in6.addr", 8)
        .containsEntry("sockaddr_in", 16)
        .containsEntry("sockaddr_in.addr", 4)
        .containsEntry("EPOLLIN", Poller.READ)
        .containsEntry("EPOLLOUT", Poller.WRITE)
        .containsEntry("broken", Poller.BROKEN)
        .containsEntry("EPOLL_CTL_ADD", Poller.EPOLL_ADD)
        .containsEntry("EPOLL_CTL_DEL", Poller.EPOLL_DELETE)
        .containsEntry("EPOLL_CTL_MOD", Poller.EPOLL_MODIFY)
        .containsEntry("SOCK_NONBLOCK", Poller.NON_BLOCKING)
        .containsEntry("EFD_NONBLOCK", Poller.NON_BLOCKING)
        .containsEntry("SOCK_CLOEXEC", Poller.CLOSE_ON_EXEC)
        .containsEntry("EFD_CLOEXEC", Poller.CLOSE_ON_EXEC)
        .containsEntry("EPOLL_CLOEXEC", Poller.CLOSE_ON_EXEC)
        .containsEntry("SOCK_STREAM", Poller.STREAM)
        .containsEntry("MSG_NOSIGNAL", Poller.NO_SIGNAL)
        .containsEntry("AF_INET", Poller.IPV4)
        .containsEntry("AF_INET6", Poller.IPV6)
        .containsEntry("IPPROTO_TCP", Poller.IPPROTO_TCP)
        .containsEntry("TCP_NODELAY", Poller.TCP_NODELAY)
        .containsEntry("IPPROTO_IPV6", Poller.IPPROTO_IPV6)
        .containsEntry("IPV6_V6ONLY", Poller.IPV6_ONLY)
        .containsEntry("SOL_SOCKET", Poller.SOL_SOCKET)
        .containsEntry("SO_REUSEADDR", Poller.REUSE_ADDRESS)
        .containsEntry("SO_KEEPALIVE", Poller.KEEP_ALIVE)
        .containsEntry("SO_LINGER", Poller.LINGER)
        .containsEntry("EINPROGRESS", -Poller.IN_PROGRESS)
        .containsEntry("EAGAIN", -Poller.AGAIN);
  }
}
