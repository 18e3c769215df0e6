/** What is worth telling of what the checks say. */
@NullMarked
package dev.holdfast.agent.tell;

import org.jspecify.annotations.NullMarked;
