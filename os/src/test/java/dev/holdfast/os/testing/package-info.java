/** What the tests of several packages share. */
@NullMarked
package dev.holdfast.os.testing;

import org.jspecify.annotations.NullMarked;
