/** What every picture is drawn with: SVG, and text that keeps to its room in any font. */
@NullMarked
package dev.holdfast.core.draw;

import org.jspecify.annotations.NullMarked;
