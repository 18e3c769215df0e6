/** What the control plane asks of the node. */
@NullMarked
package dev.holdfast.agent.request;

import org.jspecify.annotations.NullMarked;
