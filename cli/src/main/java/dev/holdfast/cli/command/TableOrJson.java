package dev.holdfast.cli.command;

/** How an answer is written: for people or for programs. */
enum TableOrJson {
  TABLE,
  JSON
}
