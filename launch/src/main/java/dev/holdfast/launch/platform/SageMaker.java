package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node of a SageMaker training job. A plain container gets no SM_* variables: SageMaker's own
 * toolkit makes them from three JSON files, and programs written for it expect them; so they are
 * made here from the same files, and the program is found where the toolkit finds it.
 */
final class SageMaker {
  private static final String ROOT = "/opt/ml";
  private static final String CONFIG = ROOT + "/input/config/";
  private static final Duration GRACE = Duration.ofSeconds(120);

  private final Surroundings around;
  private final Sighting seen = new Sighting("sagemaker");
  private final Map<String, String> variables = new LinkedHashMap<>();

  private SageMaker(Surroundings around) {
    this.around = around;
  }

  static Optional<Sighting> look(Surroundings around) {
    return around
        .files()
        .apply(CONFIG + "resourceconfig.json")
        .map(text -> new SageMaker(around).look(text));
  }

  private Sighting look(String text) {
    Map<String, @Nullable Object> tree = json("resourceconfig.json", text);
    Fields resources = Fields.of(CONFIG + "resourceconfig.json", tree);
    List<String> hosts = read(() -> resources.texts("hosts")).stream().sorted().toList();
    String current = read(() -> resources.text("current_host"));
    seen.nodes(hosts, "hosts in resourceconfig.json");
    seen.node = Optional.of(current);
    seen.rank =
        Optional.of(new Claim("place of " + current + " among hosts", hosts.indexOf(current)));
    seen.address = Optional.of(current);
    seen.job = around.text("TRAINING_JOB_NAME").map(name -> "sagemaker-" + name);
    seen.grace = Optional.of(GRACE);
    seen.failureFiles = List.of(ROOT + "/output/failure");
    seen.processes = around.claim("SM_NUM_GPUS").filter(gpus -> gpus.value() > 0);
    variables.put("SM_HOSTS", Json.line(hosts));
    variables.put("SM_CURRENT_HOST", current);
    variables.put("SM_NETWORK_INTERFACE_NAME", resources.text("network_interface_name", "eth0"));
    variables.put("SM_RESOURCE_CONFIG", Json.line(tree));
    resources
        .optionalText("current_instance_type")
        .ifPresent(type -> variables.put("SM_CURRENT_INSTANCE_TYPE", type));
    folders();
    hyperparameters();
    channels();
    seen.environment = missing();
    return seen;
  }

  private void folders() {
    variables.put("SM_MODEL_DIR", ROOT + "/model");
    variables.put("SM_OUTPUT_DIR", ROOT + "/output");
    variables.put("SM_OUTPUT_DATA_DIR", ROOT + "/output/data");
    variables.put("SM_INPUT_DIR", ROOT + "/input");
    variables.put("SM_INPUT_CONFIG_DIR", ROOT + "/input/config");
  }

  /** All values are texts that hold JSON; keys of SageMaker's own are not the program's. */
  private void hyperparameters() {
    Map<String, @Nullable Object> given = file("hyperparameters.json");
    Map<String, @Nullable Object> own = new TreeMap<>();
    List<String> words = new ArrayList<>();
    given.forEach(
        (name, value) -> {
          if (!name.startsWith("sagemaker_")) {
            Object plain = plain(value);
            own.put(name, plain);
            String text = plain instanceof String word ? word : Json.line(plain);
            variables.put("SM_HP_" + name.toUpperCase(Locale.ROOT).replace('-', '_'), text);
          }
        });
    own.forEach(
        (name, plain) -> {
          words.add((name.length() == 1 ? "-" : "--") + name);
          words.add(plain instanceof String word ? word : Json.line(plain));
        });
    variables.put("SM_HPS", Json.line(own));
    variables.put("SM_USER_ARGS", Json.line(words));
    Optional<String> program =
        Optional.ofNullable(plain(given.get("sagemaker_program")))
            .map(String::valueOf)
            .or(() -> around.text("SAGEMAKER_PROGRAM"));
    program.ifPresent(
        name -> {
          variables.put("SM_USER_ENTRY_POINT", name);
          variables.put("SM_MODULE_DIR", ROOT + "/code");
          List<String> command = new ArrayList<>(List.of(ROOT + "/code/" + name));
          command.addAll(words);
          seen.program = command;
        });
  }

  private void channels() {
    List<String> names = file("inputdataconfig.json").keySet().stream().sorted().toList();
    variables.put("SM_CHANNELS", Json.line(names));
    names.forEach(
        name ->
            variables.put(
                "SM_CHANNEL_" + name.toUpperCase(Locale.ROOT).replace('-', '_'),
                ROOT + "/input/data/" + name));
  }

  private Map<String, String> missing() {
    Map<String, String> missing = new LinkedHashMap<>(variables);
    missing.keySet().removeAll(around.environment().keySet());
    return missing;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof String text) {
      try {
        return Json.foreign(text);
      } catch (IllegalArgumentException notJson) {
        return text;
      }
    }
    return value;
  }

  private Map<String, @Nullable Object> file(String name) {
    return around.files().apply(CONFIG + name).map(text -> json(name, text)).orElse(Map.of());
  }

  private static Map<String, @Nullable Object> json(String name, String text) {
    return read(
        () -> {
          try {
            return Json.foreignObject(text);
          } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(CONFIG + name + ": " + wrong.getMessage(), wrong);
          }
        });
  }

  private static <T> T read(java.util.function.Supplier<T> field) {
    try {
      return field.get();
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
