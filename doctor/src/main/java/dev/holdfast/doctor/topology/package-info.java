/** The topology of a node as seen through its view: live, recorded or made up. */
@NullMarked
package dev.holdfast.doctor.topology;

import org.jspecify.annotations.NullMarked;
