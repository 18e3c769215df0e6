package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Make a token that lets nodes in. */
@Command(
    name = "enrol",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Make a token with which agents of nodes make themselves known, once each.",
    footer = {
      "",
      "Each agent trades it for a token of its own that speaks for its node and no other. The name of a",
      "node that is enrolled is not given to a second machine; `token reset-node` frees it.",
      "",
      "Examples:",
      "  holdfast token enrol --nodes n[001-512]           as often as there are nodes, for an hour",
      "  holdfast agent --server https://head:7070 --fingerprint F --enrol-file /run/enrol.token",
    })
final class TokenEnrolCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--nodes",
      paramLabel = "HOSTLIST",
      description = "Which nodes it lets in. Default: any.")
  private @Nullable String nodes;

  @Option(
      names = "--uses",
      paramLabel = "N",
      description = "How many nodes it lets in. Default: as many as --nodes names, else 1.")
  private @Nullable Integer uses;

  @Option(names = "--expires", paramLabel = "TIME", description = "Default: 1h.")
  private String expires = "1h";

  @Mixin private ServerChoice server = new ServerChoice();

  TokenEnrolCommand(Console console) {
    this.console = console;
  }

  /** As nodes reach it, to whom this machine is not localhost. */
  private static String host(ServerAddress address) {
    String host = address.uri().getHost();
    try {
      return EntranceChoice.outside(new HostPort(host, 0))
          ? host
          : OwnNames.of(host, List.of()).best();
    } catch (IOException nameless) {
      return host;
    }
  }

  @Override
  public Integer call() {
    int many = uses != null ? uses : nodes != null ? Hostlist.expand(nodes).size() : 1;
    try (Operator operator = new Operator(server.open())) {
      Fields made =
          Fields.of(
              "token",
              operator.ask(
                  "/enrolments", Json.map("nodes", nodes, "uses", many, "expires", expires)));
      console.answer(made.text("token") + "\n");
      ServerAddress address = operator.address();
      console.message(
          "lets in %s until %s; on each: holdfast agent --server %s%s --enrol-file FILE"
              .formatted(
                  many == 1 ? "one node" : many + " nodes",
                  made.text("expires"),
                  address.uri().getScheme() + "://" + host(address) + ":" + address.uri().getPort(),
                  address.fingerprint().isEmpty()
                      ? ""
                      : " --fingerprint " + address.fingerprint()));
      return 0;
    }
  }
}
