/**
 * The face of the control plane to programs: REST and events over HTTP, everything under /api/v1.
 */
@NullMarked
package dev.holdfast.control.api;

import org.jspecify.annotations.NullMarked;
