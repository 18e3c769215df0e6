package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each rank executes.
 *
 * @param command as it is executed, interpreter included
 * @param python whether the first word is a Python interpreter we chose
 * @param role ROLE_NAME of every rank
 * @param virtualLocalRank whether each rank sees one device only and is told LOCAL_RANK 0
 * @param environment set for every rank beside what the launcher itself sets
 */
public record Program(
    List<String> command,
    boolean python,
    String role,
    boolean virtualLocalRank,
    Map<String, String> environment) {

  public Program {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("no command");
    }
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "command",
        command,
        "python",
        python,
        "role",
        role,
        "virtualLocalRank",
        virtualLocalRank,
        "environment",
        environment);
  }

  public static Program of(Fields fields) {
    return new Program(
        fields.texts("command"),
        fields.flag("python"),
        fields.text("role"),
        fields.flag("virtualLocalRank"),
        fields.textMap("environment"));
  }
}
