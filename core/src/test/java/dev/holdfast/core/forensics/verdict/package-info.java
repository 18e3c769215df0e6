@NullMarked
package dev.holdfast.core.forensics.verdict;

import org.jspecify.annotations.NullMarked;
