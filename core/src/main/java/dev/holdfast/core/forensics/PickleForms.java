package dev.holdfast.core.forensics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The last few forms in which dictionaries were written, the last one used first. */
final class PickleForms {
  private static final int MOST = 32;

  private final @Nullable PickleForm[] forms = new PickleForm[MOST];

  /** The form of the dictionary that begins there, if one like it was read before. */
  @Nullable PickleForm find(byte[] buffer, int at, int end) {
    for (int i = 0; i < MOST; i++) {
      PickleForm form = forms[i];
      if (form == null) {
        return null;
      }
      if (form.fits(buffer, at, end)) {
        toFront(form, i);
        return form;
      }
    }
    return null;
  }

  /** One more, if there is one, in place of the one that was not used for longest. */
  void add(@Nullable PickleForm form) {
    if (form != null) {
      toFront(form, MOST - 1);
    }
  }

  /** In place of the one that stands at {@code place}. */
  private void toFront(PickleForm form, int place) {
    System.arraycopy(forms, 0, forms, 1, place);
    forms[0] = form;
  }

  void forget() {
    Arrays.fill(forms, null);
  }
}
