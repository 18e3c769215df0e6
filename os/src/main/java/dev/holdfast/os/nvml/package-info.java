/** What the NVIDIA driver says of its devices, asked in a child process that may hang or crash. */
@NullMarked
package dev.holdfast.os.nvml;

import org.jspecify.annotations.NullMarked;
