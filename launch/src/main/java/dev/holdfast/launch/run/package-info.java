/** The process beside the supervisor: watches, decides, reports. */
@NullMarked
package dev.holdfast.launch.run;

import org.jspecify.annotations.NullMarked;
