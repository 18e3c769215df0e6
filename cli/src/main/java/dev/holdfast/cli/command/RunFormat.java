package dev.holdfast.cli.command;

/** How a run of a benchmark is written. */
enum RunFormat {
  TABLE,
  JSON,
  CSV,
  PROMETHEUS
}
