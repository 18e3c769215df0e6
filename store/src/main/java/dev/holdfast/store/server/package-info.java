/** The server around the keys: connections, threads, limits, the view from outside. */
@NullMarked
package dev.holdfast.store.server;

import org.jspecify.annotations.NullMarked;
