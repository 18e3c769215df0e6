/** The page: static files, served as they are. */
@NullMarked
package dev.holdfast.control.web;

import org.jspecify.annotations.NullMarked;
