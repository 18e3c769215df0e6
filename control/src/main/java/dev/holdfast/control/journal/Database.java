package dev.holdfast.control.journal;

import dev.holdfast.os.libc.CreationMask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Where a journal is: files of one folder (H2), or a PostgreSQL that several control planes share.
 * What it says of itself never holds a password.
 */
public final class Database {
  /** Of the journal in a folder. */
  static final String NAME = "journal";

  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static final int CONNECT_SECONDS = 5;
  private static final int LONGEST = 200;
  private static final int DEEPEST = 20;

  /** Longer than any statement of ours takes; a cut cable shows by it. */
  private static final int ANSWER_SECONDS = 10;

  /** Held on to, or its level is forgotten. What goes wrong is told by exceptions. */
  private static final Logger DRIVER = Logger.getLogger("org.postgresql");

  private final String url;
  private final String shown;
  private final Properties properties;

  private Database(String url, String shown, Properties properties) {
    this.url = url;
    this.shown = shown;
    this.properties = properties;
  }

  /** In files of this folder, for one control plane. */
  public static Database embedded(Path folder) {
    Path file = folder.toAbsolutePath().resolve(NAME);
    return new Database(
        "jdbc:h2:file:" + file + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
        "the journal in " + folder,
        new Properties());
  }

  /** The files of the journal in a folder that are there. */
  static List<Path> files(Path folder) {
    return Stream.of(NAME + ".mv.db", NAME + ".trace.db")
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .toList();
  }

  /** Files nobody has open, to be looked at only. */
  static Database readOnly(Path folder) {
    Path file = folder.toAbsolutePath().resolve(NAME);
    return new Database(
        "jdbc:h2:file:" + file + ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE",
        "the journal in " + folder,
        new Properties());
  }

  /**
   * A database by its address.
   *
   * @param environment {@code PGUSER} and {@code PGPASSWORD} count where the address names none;
   *     the driver itself looks into {@code PGPASSFILE}
   */
  public static Database at(String url, Map<String, String> environment) {
    if (!url.startsWith(POSTGRESQL) && !url.startsWith("jdbc:h2:mem:")) {
      throw new IllegalArgumentException(
          "an address looks like jdbc:postgresql://host:5432/holdfast?user=holdfast");
    }
    DRIVER.setLevel(Level.OFF);
    Properties properties = new Properties();
    if (url.startsWith(POSTGRESQL)) {
      properties.setProperty("connectTimeout", "" + CONNECT_SECONDS);
      properties.setProperty("loginTimeout", "" + CONNECT_SECONDS);
      properties.setProperty("socketTimeout", "" + ANSWER_SECONDS);
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("ApplicationName", "holdfast");
      take(environment, "PGUSER", "user", properties);
      take(environment, "PGPASSWORD", "password", properties);
    }
    return new Database(url, url.replaceFirst("[?;].*", ""), properties);
  }

  private static void take(Map<String, String> from, String name, String as, Properties to) {
    String value = from.getOrDefault(name, "");
    if (!value.isEmpty()) {
      to.setProperty(as, value);
    }
  }

  /** Whether other processes can have it open too. */
  public boolean shared() {
    return url.startsWith(POSTGRESQL);
  }

  boolean h2() {
    return !shared();
  }

  Connection connect() throws SQLException {
    try {
      // The files of a journal are for their owner alone, and H2 asks nobody.
      return shared() ? open() : CreationMask.ownerOnly(this::open);
    } catch (SQLException problem) {
      throw new SQLException(sentence(problem), problem.getSQLState(), problem);
    }
  }

  private Connection open() throws SQLException {
    return DriverManager.getConnection(url, (Properties) properties.clone());
  }

  /** A connection to write by: what it says is done survives a power loss, or it is refused. */
  Connection connectToWrite() throws SQLException {
    Connection connection = connect();
    try {
      if (shared()) {
        requireDurable(connection);
      }
      return connection;
    } catch (SQLException refused) {
      connection.close();
      throw refused;
    }
  }

  private void requireDurable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select current_setting('fsync'), current_setting('synchronous_commit'),"
                    + " pg_is_in_recovery()")) {
      row.next();
      if (row.getString(1).equals("off")) {
        throw new SQLException(
            shown + " has fsync off, so a power loss would take back what was answered; set it on");
      }
      if (row.getBoolean(3)) {
        throw new SQLException(shown + " is a replica, which cannot be written; name the primary");
      }
      if (!Set.of("on", "remote_apply").contains(row.getString(2))) {
        statement.execute("set synchronous_commit to on");
      }
    }
  }

  /** Whether the connection is gone and not the statement wrong. */
  static boolean lost(SQLException problem) {
    String state = String.valueOf(problem.getSQLState());
    return state.startsWith("08") || state.startsWith("57P") || state.equals("58030");
  }

  /** What is wrong, in words for people; no address with a password in it. */
  public String sentence(SQLException problem) {
    String said = String.valueOf(problem.getMessage()).replace(url, shown);
    String state = String.valueOf(problem.getSQLState());
    Optional<String> full = noRoom(problem);
    if (full.isPresent()) {
      return "%s cannot be written: %s. Nothing is lost and nothing damaged: make room, then start again."
          .formatted(shown, full.get());
    }
    if (said.contains("already in use") || state.equals("90020")) {
      return shown + " is open in another process; one control plane at a time can have it";
    }
    if (state.equals("90030") || state.equals("90028") || said.contains("MVStoreException")) {
      return shown
          + " is damaged and cannot be opened: "
          + firstLine(said)
          + " Move the folder away and bring a backup back with `holdfast journal restore`.";
    }
    return said.startsWith(shown) ? said : shown + ": " + firstLine(said);
  }

  /** Why there was no room for what was written, if that is what is wrong. */
  private static Optional<String> noRoom(Throwable problem) {
    Throwable cause = problem;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++, cause = cause.getCause()) {
      String said = String.valueOf(cause.getMessage());
      if (said.contains("No space left on device")) {
        return Optional.of("the disk is full");
      }
      if (said.contains("Disk quota exceeded")) {
        return Optional.of("this user's quota of the disk is used up");
      }
      if (said.contains("the disk is full") || said.contains("quota of the disk")) {
        return Optional.of(
            said.replaceFirst(".*cannot be written: ", "").replaceFirst("[.].*", ""));
      }
    }
    return Optional.empty();
  }

  /** What a person can use of it: no class names, not the whole page of a broken page. */
  private static String firstLine(String text) {
    String line =
        text.lines().findFirst().orElse("").replaceAll("[\\w.$]*Exception:? ?", "").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }

  /** Without user and password. */
  @Override
  public String toString() {
    return shown;
  }
}
