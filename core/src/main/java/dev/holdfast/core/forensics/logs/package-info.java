/**
 * What the logs of a run tell: output of ranks, messages of the scheduler, kernel logs. Pure:
 * whoever has the bytes and a name for them can ask.
 */
@NullMarked
package dev.holdfast.core.forensics.logs;

import org.jspecify.annotations.NullMarked;
