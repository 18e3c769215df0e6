/** Reading configuration files strictly: every error names its file, line and remedy. */
@NullMarked
package dev.holdfast.core.configuration;

import org.jspecify.annotations.NullMarked;
