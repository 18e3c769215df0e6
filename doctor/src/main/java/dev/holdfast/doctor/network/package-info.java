/** The host's ordinary network, as far as training stands on it: names, ports, NCCL's settings. */
@NullMarked
package dev.holdfast.doctor.network;

import org.jspecify.annotations.NullMarked;
