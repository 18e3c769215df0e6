/** What is known of a code, a name or a text, the surest first. */
@NullMarked
package dev.holdfast.cli.explain;

import org.jspecify.annotations.NullMarked;
