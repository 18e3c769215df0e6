package dev.holdfast.control.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.journal.Fenced;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
  @TempDir Path folder;

  private static Engine engine(Journal journal) throws Exception {
    ClusterState state = new ClusterState();
    Engine engine =
        new Engine(
            state,
            new Decider(state, Rules.usual(), _ -> Rules.usual()),
            journal,
            Clock.systemUTC());
    engine.start(new Heartbeats());
    return engine;
  }

  @Test
  void whatWasAnsweredIsThereAfterARestart() throws Exception {
    try (Journal journal = Journal.embedded(folder);
        Engine engine = engine(journal)) {
      List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Told told = Told.node("n" + i);
        answers.add(
            engine.submit(
                new Input.Reported(
                    "node/n" + i,
                    List.of(
                        told.say(Told.described("n" + i, "r" + i, "l" + i)),
                        told.say(Told.lostGpu("n" + i, 0))))));
      }
      for (var answer : answers) {
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEmpty();
      }
      assertThat(
              engine
                  .submit(new Input.Wished("ann", new Wish.Pause("stop")))
                  .get(10, TimeUnit.SECONDS))
          .isEmpty();
    }
    try (Journal journal = Journal.embedded(folder);
        Engine engine = engine(journal)) {
      ClusterState state = engine.state();
      assertThat(state.nodeCount()).isEqualTo(50);
      assertThat(state.paused()).isPresent();
      assertThat(state.tripped()).isPresent();
      assertThat(state.nodes().stream().filter(it -> it.service() == Service.DRAINED)).hasSize(10);
    }
  }

  @Test
  void aWriterThatWasReplacedStopsForGood() throws Exception {
    String url = "jdbc:h2:mem:fence;DB_CLOSE_DELAY=-1";
    try (Journal old = Journal.at(url);
        Engine engine = engine(old);
        Journal other = Journal.at(url)) {
      assertThat(other.epoch()).isGreaterThan(old.epoch());
      var answer = engine.submit(new Input.Wished("ann", new Wish.Pause("stop")));
      assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(Fenced.class);
      assertThat(engine.failure().get(10, TimeUnit.SECONDS)).isInstanceOf(Fenced.class);
      var later = engine.submit(new Input.Tick());
      assertThat(later).isCompletedExceptionally();
    }
  }
}
