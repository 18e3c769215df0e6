/** What a launcher tells the agent of its node, and what it is asked through it. */
@NullMarked
package dev.holdfast.launch.tell;

import org.jspecify.annotations.NullMarked;
