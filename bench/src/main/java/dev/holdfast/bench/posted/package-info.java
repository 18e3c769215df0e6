/** What people really posted, with what was found to be its cause, and how often that is told. */
@NullMarked
package dev.holdfast.bench.posted;

import org.jspecify.annotations.NullMarked;
