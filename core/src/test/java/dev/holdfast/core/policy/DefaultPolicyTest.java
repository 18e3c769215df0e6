package dev.holdfast.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DefaultPolicyTest {
  @Test
  void nothingActsUntilAnOperatorSaysSo() {
    assertThat(DefaultPolicy.policy().rules()).isNotEmpty().noneMatch(Rule::enforce);
  }

  @Test
  void everyRuleSaysWhy() {
    assertThat(DefaultPolicy.policy().rules()).allMatch(it -> it.reason().length() > 20);
  }
}
