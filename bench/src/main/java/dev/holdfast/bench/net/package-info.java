/** What collective operations between processes really get from the network, or from memory. */
@NullMarked
package dev.holdfast.bench.net;

import org.jspecify.annotations.NullMarked;
