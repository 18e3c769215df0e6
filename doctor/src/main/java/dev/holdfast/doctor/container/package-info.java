/** Checks of the container the job runs in, and of the node's ability to run one. */
@NullMarked
package dev.holdfast.doctor.container;

import org.jspecify.annotations.NullMarked;
