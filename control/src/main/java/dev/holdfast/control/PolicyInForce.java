package dev.holdfast.control;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.policy.Policy;
import java.util.function.Function;
import java.util.function.Supplier;

/** The policy the journal says is in force; its text is read once, not for everybody who asks. */
final class PolicyInForce implements Supplier<Policy> {
  private final ClusterState state;
  private final Function<String, Policy> reader;
  private volatile Read last;

  private record Read(String text, Policy policy) {}

  /**
   * @param first until the journal says which
   */
  PolicyInForce(ClusterState state, Policy first, Function<String, Policy> reader) {
    this.state = state;
    this.reader = reader;
    this.last = new Read("", first);
  }

  @Override
  public Policy get() {
    String text = state.policy().orElse("");
    Read read = last;
    if (!text.isEmpty() && !text.equals(read.text())) {
      read = new Read(text, reader.apply(text));
      last = read;
    }
    return read.policy();
  }
}
