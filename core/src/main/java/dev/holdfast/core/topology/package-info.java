/**
 * What a machine consists of and what is near what: the model, its readers (hwloc, NCCL,
 * nvidia-smi, sysfs) and its pictures. Pure code: whoever has the text of a machine has its
 * topology.
 */
@NullMarked
package dev.holdfast.core.topology;

import org.jspecify.annotations.NullMarked;
