package dev.holdfast.cli.command;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A switch that may be given a word, as mpibind's options may. */
final class YesOrNo implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "1", "true", "on", "yes" -> true;
      case "0", "false", "off", "no" -> false;
      default -> throw new TypeConversionException("'" + word + "' is neither 1 nor 0");
    };
  }
}
