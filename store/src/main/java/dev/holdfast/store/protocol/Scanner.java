package dev.holdfast.store.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds where requests end in a stream that may stop at any byte.
 *
 * <p>Every byte is looked at once: what has been understood of an unfinished request (how many
 * fields are left, how much of the present one) is kept between calls, and its bytes are kept in a
 * buffer that exists only while a request is unfinished. A request that lies in one piece, which is
 * nearly every one, is never copied.
 */
public final class Scanner {
  private static final int NO_CODE = -1;

  private final Limits limits;
  private Dialect dialect;
  private boolean decided;
  private boolean greeted;

  private int code = NO_CODE;
  private @Nullable Operation operation;

  /** Fields still to come; the count, while it is unknown, is one more. */
  private long fieldsLeft;

  private boolean countPending;
  private int tailLeft;

  /** Bytes of the present field still to be passed over. */
  private long skip;

  /** How far the present request has been understood, from its first byte. */
  private int understood;

  private int fieldNumber;
  private int fieldsEach;

  private byte[] kept = EMPTY;
  private int keptLength;

  private static final byte[] EMPTY = new byte[0];

  /** What is to happen after a request was told of. */
  public enum Next {
    GO_ON,
    /** It is done; those behind it are kept until {@link #take} is called again. */
    PAUSE,
    /** It is not done; it is kept too, and told of again. */
    NOT_YET
  }

  /** Told of each request: the bytes from {@code start}, the code included, to {@code end}. */
  public interface Requests {
    Next request(Operation operation, byte[] bytes, int start, int end);
  }

  /** A stream that is not, or no longer, one of our clients; the message says why. */
  public static final class Refused extends RuntimeException {
    Refused(String why) {
      super(why, null, false, false);
    }

    public String why() {
      return String.valueOf(getMessage());
    }
  }

  public Scanner(Limits limits, Dialect legacy) {
    this.limits = limits;
    this.dialect = legacy;
  }

  public Dialect dialect() {
    return dialect;
  }

  /** Whether the peer has sent a whole request of ours; before that it may be anybody. */
  public boolean greeted() {
    return greeted;
  }

  /** Bytes held for a request that is not complete. */
  public int held() {
    return kept.length;
  }

  /**
   * Takes the next bytes of the stream, none are fine, and tells of every request they complete.
   * Returns whether it was told to stop before it had looked at all of them.
   */
  public boolean take(byte[] bytes, int from, int to, Requests requests) {
    byte[] source = bytes;
    int start = from;
    int end = to;
    if (keptLength > 0) {
      append(bytes, from, to);
      source = kept;
      start = 0;
      end = keptLength;
    }
    while (start < end) {
      int next = scan(source, start, end);
      if (next < 0) {
        break;
      }
      Operation complete = operation;
      reset();
      greeted = true;
      if (complete != null) {
        Next told = requests.request(complete, source, start, next);
        start = told == Next.NOT_YET ? start : next;
        if (told != Next.GO_ON) {
          keep(source, start, end);
          return start < end;
        }
      } else {
        start = next;
      }
    }
    keep(source, start, end);
    return false;
  }

  private void append(byte[] bytes, int from, int to) {
    int needed = keptLength + (to - from);
    if (needed < 0 || needed > (long) limits.request() + (1 << 20)) {
      throw new Refused("a request of more than " + Limits.of(limits.request()));
    }
    if (needed > kept.length) {
      // As much as the field that is being read needs, but never far beyond what has come.
      long wanted = Math.min((long) understood + skip, 4L * kept.length);
      kept = Arrays.copyOf(kept, (int) Math.max(needed, wanted));
    }
    System.arraycopy(bytes, from, kept, keptLength, to - from);
    keptLength = needed;
  }

  private void keep(byte[] source, int start, int end) {
    int left = end - start;
    if (left == 0) {
      kept = EMPTY;
      keptLength = 0;
    } else if (source == kept && (start == 0 || left >= kept.length / 4)) {
      if (start > 0) { // else a large request would be moved onto itself with every piece of it
        System.arraycopy(kept, start, kept, 0, left);
      }
      keptLength = left;
    } else {
      kept = Arrays.copyOfRange(source, start, end);
      keptLength = left;
    }
  }

  private void reset() {
    code = NO_CODE;
    operation = null;
    understood = 0;
    skip = 0;
  }

  /** The end of the request that begins at {@code start}, or -1 if it is not all there. */
  private int scan(byte[] bytes, int start, int end) {
    int at = start + understood;
    if (code == NO_CODE) {
      if (!decide(bytes, start, end)) {
        return -1;
      }
      begin(bytes[start] & 0xff);
      at = start + 1;
    }
    while (true) {
      if (skip > 0) {
        long step = Math.min(skip, end - at);
        at += (int) step;
        skip -= step;
        if (skip > 0) {
          break;
        }
      }
      if (countPending) {
        if (end - at < 8) {
          break;
        }
        count(Numbers.read64(bytes, at));
        at += 8;
      } else if (fieldsLeft > 0) {
        if (end - at < 8) {
          break;
        }
        field(Numbers.read64(bytes, at), at - start);
        at += 8;
      } else if (tailLeft > 0) {
        skip = tailLeft;
        tailLeft = 0;
      } else {
        return at;
      }
    }
    understood = at - start;
    return -1;
  }

  /** Settles the dialect by the first bytes; false when they are not all there yet. */
  private boolean decide(byte[] bytes, int start, int end) {
    if (decided) {
      return true;
    }
    if (bytes[start] == 0) {
      // SET of an older dialect, or VALIDATE: the length of a key cannot be the magic number.
      if (end - start < 5) {
        return false;
      }
      if (Numbers.read32(bytes, start + 1) == Dialect.MAGIC) {
        dialect = Dialect.C;
      }
    }
    decided = true;
    return true;
  }

  private void begin(int byteCode) {
    Operation known = dialect.operation(byteCode);
    if (known == null) {
      throw new Refused("no request of PyTorch's begins with byte " + byteCode);
    }
    code = byteCode;
    operation = known;
    Operation.Shape shape = known.shape();
    countPending = shape.counted();
    fieldsEach = shape.fields();
    fieldsLeft = shape.counted() ? 0 : shape.fields();
    tailLeft = shape.tail();
    fieldNumber = 0;
  }

  private void count(long count) {
    if (count < 0 || count > limits.count()) {
      throw new Refused("a request with " + Long.toUnsignedString(count) + " keys");
    }
    countPending = false;
    fieldsLeft = count * fieldsEach;
  }

  private void field(long length, int sofar) {
    boolean key = fieldNumber % fieldsEach == 0;
    int limit = key ? limits.key() : limits.value();
    if (length < 0 || length > limit) {
      throw new Refused(
          (key ? "a key of " : "a value of ")
              + Long.toUnsignedString(length)
              + " bytes; the limit is "
              + limit);
    }
    int most = greeted ? limits.request() : Math.min(limits.request(), Limits.GREETING);
    if (sofar + length + 8 > most) {
      throw new Refused(
          (greeted ? "a request of more than " : "a first request of more than ")
              + Limits.of(most));
    }
    fieldsLeft--;
    fieldNumber++;
    skip = length;
  }
}
