/**
 * What agents, launchers and site scripts tell the control plane, and what it asks of them: one
 * record form, each applied once.
 */
@NullMarked
package dev.holdfast.core.report;

import org.jspecify.annotations.NullMarked;
