/** The page in a real browser, on clusters made for it. */
@NullMarked
package dev.holdfast.browser;

import org.jspecify.annotations.NullMarked;
