/** Is this container image fit for a managed platform? Rules per platform, run on request. */
@NullMarked
package dev.holdfast.doctor.contract;

import org.jspecify.annotations.NullMarked;
