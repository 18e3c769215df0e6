/** The way to a server of ours over HTTP: who we are, and which certificate it must show. */
@NullMarked
package dev.holdfast.os.server;

import org.jspecify.annotations.NullMarked;
