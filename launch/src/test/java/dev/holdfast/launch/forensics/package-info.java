/** Verdicts on ranks that really failed. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.launch.forensics;
