/** Which task gets which cores, memory, GPUs and network adapters. */
@NullMarked
package dev.holdfast.core.topology.bind;

import org.jspecify.annotations.NullMarked;
