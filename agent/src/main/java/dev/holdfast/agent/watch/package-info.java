/** When which checks are put to the node. */
@NullMarked
package dev.holdfast.agent.watch;

import org.jspecify.annotations.NullMarked;
