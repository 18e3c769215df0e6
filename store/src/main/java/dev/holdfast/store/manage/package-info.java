/** The view of a running store from outside: a local socket, JSON, and words for people. */
@NullMarked
package dev.holdfast.store.manage;

import org.jspecify.annotations.NullMarked;
