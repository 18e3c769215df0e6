package dev.holdfast.cli;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Judges what we print by what docs/schema promises, with a validator that is not ours. */
final class Schemas {
  private static final String PYTHON = "/usr/bin/python3";

  private Schemas() {}

  static CommandResult validate(String schema, String document, Path folder) throws IOException {
    Tools.require(
        Command.of(PYTHON, "-c", "import jsonschema")
            .within(Duration.ofSeconds(20))
            .run()
            .succeeded(),
        "needs Python's jsonschema (apt-get install python3-jsonschema)");
    Path file = Files.writeString(folder.resolve("document.json"), document);
    return Command.of(
            PYTHON,
            "-c",
            "import json,sys,jsonschema;"
                + "jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))"
                + ".validate(json.load(open(sys.argv[2])))",
            Golden.root().resolve("docs/schema").resolve(schema).toString(),
            file.toString())
        .within(Duration.ofSeconds(30))
        .run();
  }
}
