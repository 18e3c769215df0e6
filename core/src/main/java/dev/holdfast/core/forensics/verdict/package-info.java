/** One answer from many sources: what each says, and what follows from all of it. */
@NullMarked
package dev.holdfast.core.forensics.verdict;

import org.jspecify.annotations.NullMarked;
