/** Where a launcher was started: Slurm, Kubernetes, a managed cloud, or by hand. */
@NullMarked
package dev.holdfast.launch.platform;

import org.jspecify.annotations.NullMarked;
