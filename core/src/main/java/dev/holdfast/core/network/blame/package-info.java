/**
 * Who spoils the network? Rounds of disjoint pairs, suspects tried again with partners that are
 * proven good, until each fault has a name.
 */
@NullMarked
package dev.holdfast.core.network.blame;

import org.jspecify.annotations.NullMarked;
