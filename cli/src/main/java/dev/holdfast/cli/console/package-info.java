/** Everything written to a person: answers on stdout, messages on stderr. */
@NullMarked
package dev.holdfast.cli.console;

import org.jspecify.annotations.NullMarked;
