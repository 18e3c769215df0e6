package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.error.ErrorKind;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all commands that want something of the control plane take: where it is, and why. */
final class WishOptions {
  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, for whoever reads the record.")
  String why = "";

  @Mixin ServerChoice server = new ServerChoice();

  /** Asks for one thing and tells what came of it. */
  interface Wishing {
    String ask(Operator operator, String name);
  }

  /** Asks for each; one that is refused does not keep the others from being asked for. */
  int each(Console console, List<String> names, Wishing wishing) {
    int refused = 0;
    try (Operator operator = new Operator(server.open())) {
      for (String name : names) {
        try {
          console.answer(name + ": " + wishing.ask(operator, name) + "\n");
        } catch (HoldfastException problem) {
          if (names.size() == 1 || problem.code().kind() == ErrorKind.ENVIRONMENT) {
            throw problem;
          }
          String what = problem.detail();
          console.message(
              problem.code().code() + " " + (what.contains(name) ? what : name + ": " + what));
          refused++;
        }
      }
    }
    return refused == 0 ? 0 : 1;
  }

  /** Asks for one thing that concerns the whole cluster. */
  int one(Console console, String path, String done) {
    try (Operator operator = new Operator(server.open())) {
      operator.post(path, body());
      console.answer(done + "\n");
    }
    return 0;
  }

  Map<String, @Nullable Object> body() {
    return Json.map("why", why);
  }

  /** Where a node stands now. */
  static String service(Operator operator, String node) {
    Fields now = Fields.of("node", operator.get("/nodes/" + Operator.part(node)));
    return now.text("service").equals("in") ? "in service" : now.text("service");
  }

  /** Where a decision stands now. */
  static String stand(Operator operator, String id) {
    Fields now = Fields.of("decision", operator.get("/decisions/" + Operator.part(id)));
    return now.text("rung")
        + " "
        + now.text("subject")
        + " is "
        + now.text("stand")
        + (now.has("wrong") ? ", called wrong" : "");
  }
}
