package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The document of the API says what the API does. */
@Timeout(120)
class OpenApiIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern REFERENCE =
      Pattern.compile("\"\\$ref\": ?\"#/components/schemas/(\\w+)\"");

  @TempDir Path folder;
  private TestCluster cluster;
  private ServerClient client;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(Files.createDirectory(folder.resolve("state")));
    client = new ServerClient(ServerAddress.plain(cluster.address()));
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    cluster.close();
  }

  private Map<String, @Nullable Object> document() throws Exception {
    return Json.object(client.get("/api/v1/openapi.json", PATIENCE));
  }

  @Test
  void thePublishedDocumentIsTheServedOne() throws Exception {
    Golden.verify(Golden.root().resolve("docs/reference/openapi.json"), Json.pretty(document()));
  }

  @Test
  void everythingInTheDocumentLeadsSomewhere() throws Exception {
    Map<String, @Nullable Object> tree = document();
    Fields document = Fields.of("openapi", tree);
    assertThat(document.text("openapi")).isEqualTo("3.1.0");
    assertThat(document.object("info").names()).contains("title", "version");
    Set<String> schemas = Set.copyOf(document.object("components").object("schemas").names());
    REFERENCE
        .matcher(Json.line(tree))
        .results()
        .forEach(it -> assertThat(schemas).contains(it.group(1)));
    List<String> ids = new ArrayList<>();
    Fields paths = document.object("paths");
    assertThat(paths.names()).hasSizeGreaterThan(25);
    for (String path : paths.names()) {
      Fields item = paths.object(path);
      for (String method : item.names()) {
        Fields operation = item.object(method);
        ids.add(operation.text("operationId"));
        assertThat(operation.text("summary")).as(path).isNotBlank();
        assertThat(operation.object("responses").names()).as(path).contains("200", "503");
        long inPath = path.chars().filter(it -> it == '{').count();
        assertThat(
                operation.objects("parameters").stream()
                    .filter(it -> it.text("in").equals("path") && path.contains(it.text("name"))))
            .as(path)
            .hasSize((int) inPath);
        if (!method.equals("get") && !method.equals("delete")) {
          assertThat(operation.has("requestBody")).as(path).isTrue();
        }
      }
    }
    assertThat(ids).doesNotHaveDuplicates();
  }

  /** Every GET that answers with JSON is asked, and its real answer held against the document. */
  @Test
  void realAnswersFitTheDocument() throws Exception {
    Map<String, @Nullable Object> answers = new LinkedHashMap<>();
    Fields paths = Fields.of("openapi", document()).object("paths");
    for (String path : paths.names()) {
      if (!paths.object(path).has("get")) {
        continue;
      }
      Fields operation = paths.object(path).object("get");
      Fields content = operation.object("responses").object("200").object("content");
      boolean open = Set.of("viewer", "anyone").contains(operation.text("x-role"));
      if (open && content.has("application/json")) {
        answers.put(path, Json.read(client.get(real(path), PATIENCE)));
      }
    }
    answers.put("/api/v1/findings", Json.read(client.get("/api/v1/findings?all", PATIENCE)));
    assertThat(answers).hasSizeGreaterThan(15).containsKey("/api/v1/incidents/{id}");
    CommandResult judged = judge(answers);
    assertThat(judged.succeeded()).as(judged.output() + judged.error()).isTrue();
    assertThat(judged.output()).contains(answers.size() + " answers");

    String broken =
        Json.line(answers).replaceFirst("\"severity\":\"fatal\"", "\"severity\":\"bad\"");
    CommandResult worse = judge(Json.object(broken));
    assertThat(worse.succeeded()).as("a wrong answer is found").isFalse();
  }

  private static String real(String path) {
    String id =
        path.contains("/nodes/")
            ? "n2"
            : path.contains("/incidents/") ? "i-1" : path.contains("/decisions/") ? "d-1" : "j1";
    return path.replace("{id}", id) + (path.endsWith("/search") ? "?q=n2" : "");
  }

  private CommandResult judge(Map<String, @Nullable Object> answers) throws Exception {
    Tools.require(
        Command.of(PYTHON, "-c", "import jsonschema").within(PATIENCE).run().succeeded(),
        "needs Python's jsonschema (apt-get install python3-jsonschema)");
    Path document = Files.writeString(folder.resolve("openapi.json"), Json.line(document()));
    Path told = Files.writeString(folder.resolve("answers.json"), Json.line(answers));
    Path program =
        Files.writeString(
            folder.resolve("judge.py"),
            """
            import json, sys, jsonschema
            document = json.load(open(sys.argv[1]))
            answers = json.load(open(sys.argv[2]))
            wrong = 0
            for path, answer in answers.items():
                content = document["paths"][path]["get"]["responses"]["200"]["content"]
                schema = dict(content["application/json"]["schema"])
                schema["components"] = document["components"]
                jsonschema.Draft202012Validator.check_schema(schema)
                for error in jsonschema.Draft202012Validator(schema).iter_errors(answer):
                    wrong += 1
                    print(path, "/".join(map(str, error.absolute_path)), error.message[:300])
            print(len(answers), "answers")
            sys.exit(1 if wrong else 0)
            """);
    return Command.of(PYTHON, program.toString(), document.toString(), told.toString())
        .within(PATIENCE)
        .run();
  }
}
