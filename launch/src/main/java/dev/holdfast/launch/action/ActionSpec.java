package dev.holdfast.launch.action;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Durations;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One link of an action chain: {@code [EVENT=]ACTION[@DEADLINE][:ARGUMENT]}.
 *
 * <p>Several actions are separated by commas. A comma that is not followed by the name of an action
 * belongs to the argument before it, so that addresses and commands need no quoting.
 *
 * @param event when: an {@link Event} or a class of failure, in words
 * @param argument the address, the mail address or the command; empty where there is none
 * @param deadline after this the action is given up and the next one begins
 */
public record ActionSpec(String event, Kind kind, String argument, Duration deadline) {
  private static final int MOST = 32;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** What can be done. */
  public enum Kind {
    /** Collect the stacks of all ranks. */
    STACKS("stacks", 30),
    /** End the ranks at once. */
    KILL("kill", 60),
    /** Begin the next attempt. */
    RESTART("restart", 600),
    /** Leave the suspected node out from now on. */
    EXCLUDE("exclude", 10),
    /** Post what happened to an address, as JSON. */
    WEBHOOK("notify:webhook=", 10),
    /** Send what happened by mail, through the sendmail of this node. */
    MAIL("notify:mail=", 20),
    /** Run a command with what happened in its environment. */
    EXEC("exec:", 60);

    private final String form;
    private final Duration deadline;

    Kind(String form, int seconds) {
      this.form = form;
      this.deadline = Duration.ofSeconds(seconds);
    }

    /** Whether it reaches out of the launcher; the others are done by the launcher itself. */
    public boolean external() {
      return this == WEBHOOK || this == MAIL || this == EXEC;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What can happen, besides a failure of a certain class. */
  public enum Event {
    /** An attempt was interrupted, whatever the cause. */
    FAILURE,
    RESTART,
    /** The job is over. */
    END;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads what was given to one {@code --action}. */
  public static List<ActionSpec> parse(String text) {
    String event = Event.FAILURE.word();
    String rest = text.strip();
    int equals = rest.indexOf('=');
    if (equals > 0 && rest.substring(0, equals).matches("[a-z-]+")) {
      event = event(rest.substring(0, equals));
      rest = rest.substring(equals + 1);
    }
    List<ActionSpec> actions = new ArrayList<>();
    for (String item : items(rest)) {
      actions.add(one(event, item));
    }
    if (actions.size() > MOST) {
      throw new IllegalArgumentException("more than " + MOST + " actions in '" + text + "'");
    }
    return actions;
  }

  /** Whether this is to be done when that happens to a run interrupted for this cause. */
  public boolean on(Event happened, Optional<FailureClass> cause) {
    return event.equals(happened.word())
        || (happened == Event.FAILURE
            && cause.map(kind -> kind.word().equals(event)).orElse(false));
  }

  /** For logs: addresses may carry secrets, so only their host is shown. */
  public String show() {
    String shown =
        switch (kind) {
          case WEBHOOK -> URI.create(argument).getHost();
          case EXEC -> argument.split(" ", 2)[0];
          default -> argument;
        };
    return kind.form + shown;
  }

  private static String event(String word) {
    for (Event event : Event.values()) {
      if (event.word().equals(word)) {
        return word;
      }
    }
    for (FailureClass kind : FailureClass.values()) {
      if (kind.word().equals(word)) {
        return word;
      }
    }
    throw new IllegalArgumentException(
        "'" + word + "' is no event: write failure, restart, end or a class such as hang");
  }

  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (items.isEmpty() || kind(part).isPresent()) {
        items.add(part);
      } else {
        items.add(items.removeLast() + "," + part);
      }
    }
    return items;
  }

  private static ActionSpec one(String event, String item) {
    Kind kind =
        kind(item)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'"
                            + item
                            + "' is no action: write stacks, kill, restart, exclude,"
                            + " notify:webhook=URL, notify:mail=ADDRESS or exec:COMMAND"));
    String plain = withoutDeadline(item);
    String argument = plain.substring(kind.form.length());
    require(kind, argument, item);
    return new ActionSpec(event, kind, argument, deadline(kind, item));
  }

  private static void require(Kind kind, String argument, String item) {
    boolean good =
        switch (kind) {
          case WEBHOOK -> webhook(argument);
          case MAIL -> argument.matches("[^\\s<>\"',;@-][^\\s<>\"',;@]*@[A-Za-z0-9][A-Za-z0-9.-]*");
          case EXEC -> !argument.isBlank();
          default -> argument.isEmpty();
        };
    if (!good) {
      throw new IllegalArgumentException(
          "'"
              + item
              + "': "
              + switch (kind) {
                case WEBHOOK -> "expected an address that begins with http:// or https://";
                case MAIL -> "expected a mail address such as oncall@example.org";
                case EXEC -> "expected a command";
                default -> kind.form + " takes no argument";
              });
    }
  }

  private static boolean webhook(String address) {
    try {
      URI uri = URI.create(address);
      String scheme = String.valueOf(uri.getScheme());
      return (scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null;
    } catch (IllegalArgumentException noAddress) {
      return false;
    }
  }

  private static Optional<Kind> kind(String item) {
    String plain = withoutDeadline(item);
    for (Kind kind : Kind.values()) {
      boolean named = kind.form.endsWith(":") || kind.form.endsWith("=");
      if (named ? plain.startsWith(kind.form) : plain.equals(kind.form)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** {@code exec@30s:CMD} is {@code exec:CMD}. */
  private static String withoutDeadline(String item) {
    int at = item.indexOf('@');
    int colon = item.indexOf(':');
    if (at < 0 || (colon >= 0 && at > colon)) {
      return item;
    }
    return item.substring(0, at) + (colon < 0 ? "" : item.substring(colon));
  }

  private static Duration deadline(Kind kind, String item) {
    int at = item.indexOf('@');
    int colon = item.indexOf(':');
    if (at < 0 || (colon >= 0 && at > colon)) {
      return kind.deadline;
    }
    Duration deadline = Durations.parse(item.substring(at + 1, colon < 0 ? item.length() : colon));
    if (deadline.isZero() || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("'" + item + "': a deadline is between 1ms and 10m");
    }
    return deadline;
  }
}
