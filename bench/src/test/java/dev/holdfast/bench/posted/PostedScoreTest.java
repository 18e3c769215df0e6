package dev.holdfast.bench.posted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.bench.posted.PostedScore.Answer;
import dev.holdfast.bench.posted.PostedScore.Interval;
import dev.holdfast.bench.posted.PostedScore.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostedScoreTest {
  private static PostedCase posted(String classes, String culprit) {
    return PostedCase.read(
            "test", "=== a/b#1 | kind | %s | %s | why\ntext\n".formatted(classes, culprit))
        .getFirst();
  }

  private static Answer answer(String kind, String node, Integer... ranks) {
    return new Answer(List.of(ranks), node, -1, kind, 0.9);
  }

  private static void judged(Outcome expected, PostedCase one, Answer answer) {
    assertThat(PostedScore.outcome(one, answer)).as(one + " " + answer).isEqualTo(expected);
  }

  @Test
  void classAndCulpritMustFit() {
    PostedCase one = posted("storage, user-code", "rank 3,5");
    judged(Outcome.RIGHT, one, answer("storage", "", 3, 5));
    judged(Outcome.RIGHT, one, answer("user-code", "n1", 5));
    judged(Outcome.WRONG, one, answer("storage", "", 3, 4));
    judged(Outcome.WRONG, one, answer("hang", "", 3));
    judged(Outcome.WRONG, one, answer("storage", "n1"));
    judged(Outcome.CANNOT_TELL, one, answer("storage", ""));
    judged(Outcome.WRONG, one, answer("hang", ""));
    judged(Outcome.CANNOT_TELL, one, new Answer(List.of(), "", -1, "hang", 0.3));
    judged(Outcome.CANNOT_TELL, one, answer("unknown", ""));
    judged(Outcome.CANNOT_TELL, one, Answer.REFUSED);
  }

  @Test
  void aHostIsNamedWithOrWithoutItsDomain() {
    judged(Outcome.RIGHT, posted("ecc", "gpu n1 3"), answer("ecc", "n1.example.org"));
    judged(Outcome.RIGHT, posted("ecc", "node 10.0.0.1"), answer("ecc", "10.0.0.1"));
    judged(Outcome.WRONG, posted("ecc", "node 10.0.0.1"), answer("ecc", "10.0.0.2"));
  }

  @Test
  void whoIsNotToldMustNotBeNamed() {
    PostedCase one = posted("hang", "none");
    judged(Outcome.RIGHT, one, answer("hang", ""));
    judged(Outcome.WRONG, one, answer("hang", "", 1));
    judged(Outcome.RIGHT, posted("unknown", "none"), answer("unknown", ""));
  }

  @Test
  void ofARunThatIsWellAnyAnswerIsAnAccusation() {
    PostedCase one = posted("well", "none");
    judged(Outcome.RIGHT, one, answer("unknown", ""));
    judged(Outcome.WRONG, one, answer("storage", ""));
    judged(Outcome.WRONG, one, answer("unknown", "", 1));
    judged(Outcome.CANNOT_TELL, one, Answer.REFUSED);
    judged(Outcome.RIGHT, posted("not-a-log", "none"), Answer.REFUSED);
  }

  @Test
  void casesAreReadOneByOne() {
    List<PostedCase> cases =
        PostedCase.read(
            "f", "words\n=== a | k | x, y | none | b | c\n1\n\n2\n\n=== b | k | x | none | d\n");
    assertThat(cases).extracting(PostedCase::source).containsExactly("a", "b");
    assertThat(cases.getFirst().classes()).containsExactly("x", "y");
    assertThat(cases.getFirst().cause()).isEqualTo("b | c");
    assertThat(cases.getFirst().text()).isEqualTo("1\n\n2\n");
    assertThatThrownBy(() -> PostedCase.read("f", "=== a | b\n")).hasMessageContaining("f: '=== a");
    assertThatThrownBy(() -> posted("x", "me")).hasMessageContaining("'me'");
  }

  @Test
  void theIntervalIsWilsons() {
    // Agresti and Coull: 0 of 10 gives 0 to 0.278, 8 of 10 0.490 to 0.943.
    assertThat(Interval.of(0, 10).to()).isCloseTo(0.278, within(0.001));
    assertThat(Interval.of(8, 10).from()).isCloseTo(0.490, within(0.001));
    assertThat(Interval.of(8, 10).to()).isCloseTo(0.943, within(0.001));
  }
}
