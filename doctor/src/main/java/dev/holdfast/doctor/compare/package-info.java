/** Many recorded nodes side by side: which one is not like the others. */
@NullMarked
package dev.holdfast.doctor.compare;

import org.jspecify.annotations.NullMarked;
