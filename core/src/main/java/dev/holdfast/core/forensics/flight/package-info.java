/**
 * What the flight recorders of PyTorch's ranks tell: who did not come to which collective, and why.
 */
@NullMarked
package dev.holdfast.core.forensics.flight;

import org.jspecify.annotations.NullMarked;
