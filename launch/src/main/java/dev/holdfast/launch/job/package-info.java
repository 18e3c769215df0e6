/** What every part of the launcher speaks of: nodes, ranks, attempts. */
@NullMarked
package dev.holdfast.launch.job;

import org.jspecify.annotations.NullMarked;
