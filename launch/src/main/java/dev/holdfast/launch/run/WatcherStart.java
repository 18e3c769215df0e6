package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.JobSpec;
import java.nio.file.Path;
import java.util.List;

/**
 * What the supervisor hands to the process beside it before anything else.
 *
 * @param store the command that starts a store to be managed
 * @param shim the folder put first on the ranks' PYTHONPATH
 */
public record WatcherStart(JobSpec spec, List<String> store, Path shim) {
  public WatcherStart {
    store = List.copyOf(store);
  }

  public String line() {
    return Json.line(Json.map("spec", spec.json(), "store", store, "shim", shim.toString()));
  }

  public static WatcherStart of(String line) {
    Fields fields = Fields.of("start", Json.object(line));
    return new WatcherStart(
        JobSpec.of(fields.object("spec")), fields.texts("store"), Path.of(fields.text("shim")));
  }
}
