/** Managing a store from outside: sockets, requests, answers, and words for people. */
@NullMarked
package dev.holdfast.store.manage;

import org.jspecify.annotations.NullMarked;
