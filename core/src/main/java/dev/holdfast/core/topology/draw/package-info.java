/** What a person sees of a machine: a tree in the terminal, a picture, and JSON for programs. */
@NullMarked
package dev.holdfast.core.topology.draw;

import org.jspecify.annotations.NullMarked;
