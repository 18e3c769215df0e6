/** The one archive form for snapshots, run bundles and evidence. */
@NullMarked
package dev.holdfast.core.archive;

import org.jspecify.annotations.NullMarked;
