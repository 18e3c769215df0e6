/**
 * Who may hold a connection to the control plane, for how long, and how much memory it may cost.
 */
@NullMarked
package dev.holdfast.control.api.gate;

import org.jspecify.annotations.NullMarked;
