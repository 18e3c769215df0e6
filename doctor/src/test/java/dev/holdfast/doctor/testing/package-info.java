/** Fakes and golden files for tests of checks. */
@NullMarked
package dev.holdfast.doctor.testing;

import org.jspecify.annotations.NullMarked;
