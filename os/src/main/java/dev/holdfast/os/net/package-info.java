/** TCP sockets and epoll without the layers between: for servers that hold ten thousand peers. */
@NullMarked
package dev.holdfast.os.net;

import org.jspecify.annotations.NullMarked;
