/** Who spoils the network, measured with a command of the site's own. */
@NullMarked
package dev.holdfast.bench.blame;

import org.jspecify.annotations.NullMarked;
