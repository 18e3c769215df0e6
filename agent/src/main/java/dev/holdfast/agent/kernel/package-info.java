/** The kernel log, followed as it is written. */
@NullMarked
package dev.holdfast.agent.kernel;

import org.jspecify.annotations.NullMarked;
