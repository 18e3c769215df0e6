/** What a cluster consists of, as its parts describe themselves: nodes, devices, places, jobs. */
@NullMarked
package dev.holdfast.core.cluster;

import org.jspecify.annotations.NullMarked;
