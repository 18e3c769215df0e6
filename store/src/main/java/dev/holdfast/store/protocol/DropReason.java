package dev.holdfast.store.protocol;

import java.util.Locale;

/** Why a store ended a connection; one word each, for metrics and for what is logged together. */
public enum DropReason {
  /** Not a request of PyTorch's, or one beyond the limits. */
  GARBAGE,
  /** A request that cannot be done, such as counting up a text. */
  REQUEST,
  /** No room for more keys and values. */
  FULL,
  /** It does not read its answers. */
  UNREAD,
  /** All clients together hold too much that is unread or unfinished; this was the slowest. */
  BUFFERS,
  /** It began a greeting and did not finish it. */
  GREETING,
  /** It began a request, and then nothing came. */
  STALLED,
  /** It never greeted, and its place was needed. */
  PLACE,
  /** The socket failed, or the request did in a way nobody thought of. */
  ERROR;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
