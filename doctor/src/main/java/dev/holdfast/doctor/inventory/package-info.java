/** What a node consists of: the facts that nodes of one kind have in common. */
@NullMarked
package dev.holdfast.doctor.inventory;

import org.jspecify.annotations.NullMarked;
