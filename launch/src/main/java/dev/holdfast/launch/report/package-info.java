/** What happened to a run: its timeline and the page of truth. */
@NullMarked
package dev.holdfast.launch.report;

import org.jspecify.annotations.NullMarked;
