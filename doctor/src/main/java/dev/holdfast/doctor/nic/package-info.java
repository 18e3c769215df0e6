/** Network adapters: InfiniBand and RoCE ports, their counters and what RDMA needs of the host. */
@NullMarked
package dev.holdfast.doctor.nic;

import org.jspecify.annotations.NullMarked;
