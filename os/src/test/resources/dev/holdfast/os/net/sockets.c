#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* Prints sizes, offsets and numbers of sockets and epoll as the compiler sees them. */
#define TELL(name) printf(#name "=%d\n", (int)(name))

int main(void) {
    printf("epoll_event=%d\n", (int)sizeof(struct epoll_event));
    printf("epoll_event.data=%d\n", (int)offsetof(struct epoll_event, data));
    printf("sockaddr_in6=%d\n", (int)sizeof(struct sockaddr_in6));
    printf("sockaddr_in6.port=%d\n", (int)offsetof(struct sockaddr_in6, sin6_port));
    printf("sockaddr_in6.addr=%d\n", (int)offsetof(struct sockaddr_in6, sin6_addr));
    printf("sockaddr_in=%d\n", (int)sizeof(struct sockaddr_in));
    printf("sockaddr_in.addr=%d\n", (int)offsetof(struct sockaddr_in, sin_addr));
    printf("broken=%d\n", EPOLLERR | EPOLLHUP);
    TELL(EPOLLIN);
    TELL(EPOLLOUT);
    TELL(EPOLL_CTL_ADD);
    TELL(EPOLL_CTL_DEL);
    TELL(EPOLL_CTL_MOD);
    TELL(SOCK_NONBLOCK);
    TELL(SOCK_CLOEXEC);
    TELL(SOCK_STREAM);
    TELL(EFD_NONBLOCK);
    TELL(EFD_CLOEXEC);
    TELL(EPOLL_CLOEXEC);
    TELL(MSG_NOSIGNAL);
    TELL(AF_INET);
    TELL(AF_INET6);
    TELL(IPPROTO_TCP);
    TELL(TCP_NODELAY);
    TELL(IPPROTO_IPV6);
    TELL(IPV6_V6ONLY);
    TELL(SOL_SOCKET);
    TELL(SO_REUSEADDR);
    TELL(SO_KEEPALIVE);
    TELL(SO_LINGER);
    TELL(EINPROGRESS);
    TELL(EAGAIN);
    return 0;
}
