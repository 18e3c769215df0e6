package dev.holdfast.core.topology;

import java.util.List;
import java.util.Optional;

/** The files of a machine by their full path, wherever they are: live, in a snapshot, made up. */
public interface MachineFiles {
  /** The text of a file without surrounding white space, if it can be read. */
  Optional<String> text(String path);

  /** The names in a folder; none when it is absent or unreadable. */
  List<String> list(String path);

  /** Where a symbolic link points, as written in it. */
  Optional<String> link(String path);
}
