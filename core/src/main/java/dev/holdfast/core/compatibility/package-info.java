/**
 * Which versions of drivers, toolkits, frameworks and GPUs work together: tables with a source per
 * row, and the few rules to read them by.
 */
@NullMarked
package dev.holdfast.core.compatibility;

import org.jspecify.annotations.NullMarked;
