package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.core.error.HoldfastException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchdogConfigTest {
  private static final Map<String, String> NONE = Map.of();

  private static WatchdogConfig.Effective effective(String text, String program, boolean compat) {
    return WatchdogParser.parse("conf", text, compat).effective(program, NONE, compat);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10",
    "1.5h, 5400",
    "2d, 172800",
    "1e1s, 10",
    "20m, 1200",
    ".5s, 0.5",
    "5., 5",
    "+3, 3",
    "inf, Infinity",
    "INFINITY, Infinity",
    "0x10, 16",
    "0x1p3s, 8",
    "0, 0"
  })
  void timeoutsAreReadAsTheCLibraryReadsThem(String text, double seconds) {
    assertThat(WatchdogTimeout.parse("here", text, false)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1x", "5ms", "nan", "", "m", "1 s", "1S", "e5", "1,5"})
  void whatIsNoTimeoutIsRefusedWithItsPlace(String text) {
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(() -> WatchdogTimeout.parse("file:3", text, false))
        .withMessageContaining("file:3")
        .withMessageContaining("20m");
  }

  @Test
  void anEmptyTimeoutIsZeroOnlyWhenCompatible() {
    assertThat(WatchdogTimeout.parse("here", "", true)).isZero();
  }

  @Test
  void theExampleOfTheManualIsRead() {
    String text =
        """
        # site settings
        search /usr/local/tools/io-watchdog/actions, /opt/actions
        timeout = 20m ; actions = STAT, kill   # two on a line
        action hello = "echo hello # no comment; no end"
        program lammps*
          timeout = 1.5h
          timeout-method = EXACT
          rank = 3
          target = 'lmp_*'
        """;
    WatchdogConfig config = WatchdogParser.parse("conf", text, false);
    assertThat(config.search())
        .containsExactly("/usr/local/tools/io-watchdog/actions", "/opt/actions");
    assertThat(config.command("hello", _ -> false)).isEqualTo("echo hello # no comment; no end");
    assertThat(config.command("kill", Path.of("/opt/actions/kill")::equals))
        .isEqualTo("/opt/actions/kill");
    WatchdogConfig.Effective other = config.effective("/bin/python3", NONE, false);
    assertThat(other.timeoutSeconds()).isEqualTo(1200);
    assertThat(other.exact()).isFalse();
    assertThat(other.rank()).isZero();
    assertThat(other.actions()).containsExactly("STAT", "kill");
    WatchdogConfig.Effective own = config.effective("/home/x/lammps-2", NONE, false);
    assertThat(own.timeoutSeconds()).isEqualTo(5400);
    assertThat(own.exact()).isTrue();
    assertThat(own.rank()).isEqualTo(3);
    assertThat(own.target()).isEqualTo("lmp_*");
    assertThat(own.actions()).as("inherited").containsExactly("STAT", "kill");
  }

  @Test
  void sectionsInheritUnlessCompatible() {
    String text = "actions = STAT\nrank = 2\ntimeout-method = exact\ntimeout = 5m\nprogram a*\n";
    WatchdogConfig.Effective mended = effective(text, "abc", false);
    assertThat(mended.actions()).containsExactly("STAT");
    assertThat(mended.rank()).isEqualTo(2);
    assertThat(mended.exact()).isTrue();
    assertThat(mended.target()).isEqualTo("a*");
    WatchdogConfig.Effective kept = effective(text, "abc", true);
    assertThat(kept.actions()).isEmpty();
    assertThat(kept.rank()).isZero();
    assertThat(kept.exact()).isFalse();
    assertThat(kept.timeoutSeconds()).isEqualTo(300);
  }

  @Test
  void theLatestSectionThatMatchesWins() {
    String text = "program a*\ntimeout = 1m\nprogram ab*\ntimeout = 2m\nprogram z\ntimeout = 3m";
    assertThat(effective(text, "abc", false).timeoutSeconds()).isEqualTo(120);
    assertThat(effective(text, "/x/ac", false).timeoutSeconds()).isEqualTo(60);
    assertThat(effective(text, "q", false).timeoutSeconds()).isEqualTo(3600);
  }

  @Test
  void actionsOfSeveralLinesAndFilesAddUp() {
    WatchdogConfig system =
        WatchdogParser.parse("s", "actions = a\nactions = b\ntimeout=1m", false);
    WatchdogConfig user = WatchdogParser.parse("u", "actions = c\nsearch /u", false);
    WatchdogConfig.Effective both = system.then(user).effective("x", NONE, false);
    assertThat(both.actions()).containsExactly("a", "b", "c");
    assertThat(both.timeoutSeconds()).isEqualTo(60);
  }

  @Test
  void theEnvironmentWinsOverFiles() {
    WatchdogConfig config = WatchdogParser.parse("s", "timeout = 1m\nactions = a", false);
    Map<String, String> environment =
        Map.of(
            "IO_WATCHDOG_TIMEOUT",
            "2m",
            "IO_WATCHDOG_ACTION",
            "b:c",
            "IO_WATCHDOG_EXACT",
            "1",
            "IO_WATCHDOG_RANK",
            "7",
            "IO_WATCHDOG_PERSISTENT",
            "1",
            "IO_WATCHDOG_TARGET",
            "t*");
    WatchdogConfig.Effective effective = config.effective("x", environment, false);
    assertThat(effective)
        .isEqualTo(new WatchdogConfig.Effective(120, true, 7, "t*", List.of("b", "c"), true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeout 5m|expected `timeout = …`",
        "timeout =|one value",
        "timeout = 5x|no timeout",
        "timeotu = 5|Did you mean",
        "rank = -1|number from 0",
        "timeout-method = fast|sloppy or exact",
        "action x|action NAME",
        "actions = a,|after the comma",
        "actions = a b|commas",
        "program|one value",
        "action x = 'abc|not closed",
        "= 5|begins no statement",
      })
  void whatIsWrongIsToldWithFileAndLine(String text, String what) {
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(() -> WatchdogParser.parse("my.conf", "# one\n\n" + text, false))
        .satisfies(
            wrong -> {
              assertThat(wrong.detail()).startsWith("my.conf:3: ");
              assertThat(wrong.detail().toLowerCase(java.util.Locale.ROOT))
                  .contains(what.toLowerCase(java.util.Locale.ROOT));
            });
  }

  @Test
  void aFileNamedByHandMustBeThereUnlessCompatible() {
    Path missing = Path.of("/nonexistent/io-watchdog.conf");
    assertThat(WatchdogParser.read(missing, false, false)).isEqualTo(WatchdogConfig.EMPTY);
    assertThat(WatchdogParser.read(missing, true, true)).isEqualTo(WatchdogConfig.EMPTY);
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(() -> WatchdogParser.read(missing, true, false));
  }

  private static double firesAt(boolean exact, double timeout, double writesUntil) {
    IoWatchdog dog =
        new IoWatchdog(
            new WatchdogConfig.Effective(timeout, exact, 0, "", List.of("STAT", "kill"), false));
    for (int tick = 0; tick < 10_000; tick++) {
      double now = tick / 10.0;
      if (!dog.look(now, (long) Math.min(now, writesUntil) * 10, true).isEmpty()) {
        return now;
      }
    }
    return -1;
  }

  @Test
  void sloppyFiresWithinTwoTimeoutsAndExactAfterOne() {
    assertThat(firesAt(true, 10, 3)).isBetween(13.0, 13.2);
    assertThat(firesAt(false, 10, 3)).isBetween(20.0, 20.2);
    assertThat(firesAt(false, Double.POSITIVE_INFINITY, 3)).isEqualTo(-1);
  }

  @Test
  void theDeadAreLeftInPeaceAndThePersistentFireAgain() {
    WatchdogConfig.Effective settings =
        new WatchdogConfig.Effective(10, true, 0, "", List.of("a"), true);
    IoWatchdog dog = new IoWatchdog(settings);
    int fired = 0;
    for (int second = 0; second <= 100; second++) {
      fired += dog.look(second, 0, true).size();
    }
    assertThat(fired).isEqualTo(10);
    IoWatchdog dead = new IoWatchdog(settings);
    dead.look(0, 0, true);
    assertThat(dead.look(1000, 0, false)).isEmpty();
    assertThat(dead.environment(7, "x")).containsEntry("IO_WATCHDOG_TIMEOUT", "10.000");
  }
}
