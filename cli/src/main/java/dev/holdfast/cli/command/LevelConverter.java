package dev.holdfast.cli.command;

import dev.holdfast.doctor.check.Level;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Levels by name, or by the numbers people know from other tools. */
final class LevelConverter implements ITypeConverter<Level> {
  @Override
  public Level convert(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "1", "passive" -> Level.PASSIVE;
      case "2", "quick" -> Level.QUICK;
      case "3", "full" -> Level.FULL;
      default ->
          throw new TypeConversionException("'" + text + "' is none of passive, quick, full, 1-3");
    };
  }
}
