/** What is handed to others as proof, and the key it is signed with. */
@NullMarked
package dev.holdfast.control.evidence;

import org.jspecify.annotations.NullMarked;
