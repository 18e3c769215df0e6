/** What the agent knows over its own restart: what it has told, what still waits to be told. */
@NullMarked
package dev.holdfast.agent.memory;

import org.jspecify.annotations.NullMarked;
