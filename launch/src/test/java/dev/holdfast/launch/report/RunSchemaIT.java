package dev.holdfast.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a run leaves behind is what docs/schema/run.json promises, says an independent validator.
 */
class RunSchemaIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String VALIDATE =
      """
      import json, sys, glob, jsonschema
      validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
      for name in sorted(glob.glob(sys.argv[2] + "/*.json")):
          validator.validate(json.load(open(name)))
      """;

  @TempDir Path folder;

  @Test
  void wholeStoriesAndPiecesOfThem() throws Exception {
    Random random = new Random(5);
    List<Story> stories =
        List.of(
            Story.clean(),
            Story.hang(),
            Story.kill(),
            Story.nodeLost(),
            Story.crashLoop(),
            Story.preempted());
    for (int i = 0; i < 60; i++) {
      List<Moment> moments = new ArrayList<>(stories.get(i % stories.size()).moments());
      double keep = i < stories.size() ? 1 : random.nextDouble();
      moments.removeIf(_ -> random.nextDouble() > keep);
      write(i, RunPage.json(RunReport.of(moments)));
    }
    CommandResult result = validate();
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  @Test
  void aDocumentWithANegativeTimeIsRefused() throws Exception {
    write(
        0, RunPage.json(Story.clean().report()).replace("\"wallSeconds\": ", "\"wallSeconds\": -"));
    assertThat(validate().succeeded()).isFalse();
  }

  private void write(int number, String document) throws IOException {
    Files.writeString(folder.resolve(number + ".json"), document);
  }

  private CommandResult validate() {
    Tools.require(
        Command.of(PYTHON, "-c", "import jsonschema")
            .within(Duration.ofSeconds(60))
            .run()
            .succeeded(),
        "needs Python's jsonschema (apt-get install python3-jsonschema)");
    Path schema = Golden.root().resolve("docs/schema/run.json");
    return Command.of(PYTHON, "-c", VALIDATE, schema.toString(), folder.toString())
        .within(Duration.ofSeconds(60))
        .run();
  }
}
