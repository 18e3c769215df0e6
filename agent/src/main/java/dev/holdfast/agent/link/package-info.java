/** The way to the control plane; the one place that knows how it is reached and trusted. */
@NullMarked
package dev.holdfast.agent.link;

import org.jspecify.annotations.NullMarked;
