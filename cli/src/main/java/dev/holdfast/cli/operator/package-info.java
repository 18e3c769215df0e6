/** What operators read in a shell: answers of the control plane as tables and pages. */
@NullMarked
package dev.holdfast.cli.operator;

import org.jspecify.annotations.NullMarked;
