import dev.holdfast.launch.supervise.StandardStreams;
import dev.holdfast.launch.supervise.Supervisor;
import dev.holdfast.launch.supervise.SupervisorOptions;
import java.util.List;

/** A supervisor whose watcher is the program named on the command line. */
final class Supervise {
  public static void main(String[] watcher) {
    SupervisorOptions options = SupervisorOptions.of(List.of(watcher), "{}", new StandardStreams());
    Runtime.getRuntime().halt(Supervisor.run(options));
  }
}
