/** The rendezvous store measured beside PyTorch's. */
@NullMarked
package dev.holdfast.bench.store;

import org.jspecify.annotations.NullMarked;
