/** How much a control plane takes: thousands of simulated agents against a real `serve`. */
@NullMarked
package dev.holdfast.bench.control;

import org.jspecify.annotations.NullMarked;
