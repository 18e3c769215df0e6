/** What the site adds: expected inventory, overrides, its own checks. */
@NullMarked
package dev.holdfast.doctor.site;

import org.jspecify.annotations.NullMarked;
