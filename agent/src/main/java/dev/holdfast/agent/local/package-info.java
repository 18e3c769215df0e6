/** What programs on this node tell. */
@NullMarked
package dev.holdfast.agent.local;

import org.jspecify.annotations.NullMarked;
