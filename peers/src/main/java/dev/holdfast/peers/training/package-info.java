/** A training job with libtorch's own clients: the rank program, its network, its checkpoints. */
@NullMarked
package dev.holdfast.peers.training;

import org.jspecify.annotations.NullMarked;
