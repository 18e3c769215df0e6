/** Tells others what happens: webhooks and Alertmanager, each at its own pace. */
@NullMarked
package dev.holdfast.control.notify;

import org.jspecify.annotations.NullMarked;
