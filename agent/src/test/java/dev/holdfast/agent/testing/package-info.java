/** A node, an agent and a control plane to try them with. */
@NullMarked
package dev.holdfast.agent.testing;

import org.jspecify.annotations.NullMarked;
