/** What a stopped run left behind, read from its files. */
@NullMarked
package dev.holdfast.launch.forensics;

import org.jspecify.annotations.NullMarked;
