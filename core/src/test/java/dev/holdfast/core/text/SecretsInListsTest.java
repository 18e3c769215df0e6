package dev.holdfast.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Command lines in JSON: the option and its value are two texts of a list. */
class SecretsInListsTest {
  @Test
  void theValueBehindASecretOptionIsBlanked() {
    assertThat(Secrets.blank("[\"train.py\", \"--api-key\", \"hunter2\", \"--steps\", \"3\"]"))
        .isEqualTo("[\"train.py\", \"--api-key\", \"(blanked)\", \"--steps\", \"3\"]");
    assertThat(Secrets.blank("['--wandb-token','x y']")).isEqualTo("['--wandb-token','(blanked)']");
  }

  @Test
  void otherOptionsStay() {
    String line = "[\"--batch\", \"8\", \"--tokenizer\"]";
    assertThat(Secrets.blank(line)).isEqualTo(line);
  }
}
