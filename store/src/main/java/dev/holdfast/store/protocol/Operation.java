package dev.holdfast.store.protocol;

/** What a client can ask for, and the shape its request has after the one-byte code. */
public enum Operation {
  VALIDATE(Shape.WORD),
  SET(Shape.fields(2)),
  COMPARE_SET(Shape.fields(3)),
  GET(Shape.fields(1)),
  ADD(Shape.FIELD_AND_NUMBER),
  CHECK(Shape.counted(1)),
  WAIT(Shape.counted(1)),
  COUNT_KEYS(Shape.NOTHING),
  /** Dialect A only: asks to be told of changes; answered, never told, as no client listens. */
  WATCH_KEY(Shape.fields(1)),
  DELETE_KEY(Shape.fields(1)),
  APPEND(Shape.fields(2)),
  MULTI_GET(Shape.counted(1)),
  MULTI_SET(Shape.counted(2)),
  CANCEL_WAIT(Shape.NOTHING),
  PING(Shape.WORD),
  QUEUE_PUSH(Shape.fields(2)),
  QUEUE_POP(Shape.fields(1)),
  QUEUE_LENGTH(Shape.fields(1)),
  LIST_KEYS(Shape.NOTHING),
  BARRIER(Shape.FIELD_AND_NUMBER);

  private final Shape shape;

  Operation(Shape shape) {
    this.shape = shape;
  }

  public Shape shape() {
    return shape;
  }

  /**
   * What follows the code.
   *
   * @param counted whether a count comes first, by which {@code fields} is to be multiplied
   * @param fields how many byte strings, each with its length before it
   * @param tail bytes of fixed length at the end: a number
   */
  public record Shape(boolean counted, int fields, int tail) {
    static final Shape NOTHING = new Shape(false, 0, 0);
    static final Shape WORD = new Shape(false, 0, 4);
    static final Shape FIELD_AND_NUMBER = new Shape(false, 1, 8);

    static Shape fields(int count) {
      return new Shape(false, count, 0);
    }

    static Shape counted(int fieldsEach) {
      return new Shape(true, fieldsEach, 0);
    }
  }
}
