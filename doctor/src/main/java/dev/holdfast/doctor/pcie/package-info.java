/** The PCI Express tree: links, errors, isolation and who sits near whom. */
@NullMarked
package dev.holdfast.doctor.pcie;

import org.jspecify.annotations.NullMarked;
