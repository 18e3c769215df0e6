/** PyTorch's TCPStore protocol on the wire: dialects, operations, shapes of requests. */
@NullMarked
package dev.holdfast.store.protocol;

import org.jspecify.annotations.NullMarked;
