/** The control plane: what is broken in the cluster, which jobs it hurts, what to do about it. */
@NullMarked
package dev.holdfast.control;

import org.jspecify.annotations.NullMarked;
