/** Why a rank or a run ended: classes of failure, rules, verdicts, decisions. */
@NullMarked
package dev.holdfast.core.forensics;

import org.jspecify.annotations.NullMarked;
