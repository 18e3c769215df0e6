/**
 * CUDA's driver interface and NCCL, as far as measuring needs them. Loading either can take a
 * second and may hang or crash with the driver, so only child processes do.
 */
@NullMarked
package dev.holdfast.os.cuda;

import org.jspecify.annotations.NullMarked;
