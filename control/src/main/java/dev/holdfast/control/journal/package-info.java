/**
 * The journal: entries made durable in order, fenced, read again at the start. SQL is only here.
 */
@NullMarked
package dev.holdfast.control.journal;

import org.jspecify.annotations.NullMarked;
