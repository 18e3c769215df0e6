/** What is done when something happens to a run, as the operator asked: parsing and doing. */
@NullMarked
package dev.holdfast.launch.action;

import org.jspecify.annotations.NullMarked;
