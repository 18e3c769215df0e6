/** How the launchers of a job's nodes agree on who runs which ranks, and on when to stop. */
@NullMarked
package dev.holdfast.launch.rendezvous;

import org.jspecify.annotations.NullMarked;
