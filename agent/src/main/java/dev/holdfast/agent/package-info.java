/**
 * The daemon on each node: looks continuously, tells what changed, carries out what it is asked.
 */
@NullMarked
package dev.holdfast.agent;

import org.jspecify.annotations.NullMarked;
