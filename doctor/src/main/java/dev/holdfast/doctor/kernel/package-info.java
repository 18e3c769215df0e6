/** What the kernel says happened: its log, decoded once, and the checks that read it. */
@NullMarked
package dev.holdfast.doctor.kernel;

import org.jspecify.annotations.NullMarked;
