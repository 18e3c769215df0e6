/** What the tests of every module share; never distributed. */
@NullMarked
package dev.holdfast.testing;

import org.jspecify.annotations.NullMarked;
