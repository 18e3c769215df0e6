package dev.holdfast.store.keys;

import org.jspecify.annotations.Nullable;

/** Whoever asks a store and is answered: a connection. Used under the lock of the store. */
public abstract class Client {
  @Nullable Wait wait;

  /** What it waits for, if it does. */
  public @Nullable Wait waiting() {
    return wait;
  }

  /** Answers one byte. */
  protected abstract void answer(int value);

  /** Answers a number. */
  protected abstract void answerNumber(long value);

  /**
   * Answers the first bytes of an array, with their number before them. Nobody changes these any
   * more; what lies behind them may still be written.
   */
  protected abstract void answerBytes(byte[] value, int length);

  /** A PING's number is the process that sent it. */
  protected abstract void pinged(int nonce);
}
