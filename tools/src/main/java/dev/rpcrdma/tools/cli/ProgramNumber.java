// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the number of a program, or the name that {@code info} prints for it. */
final class ProgramNumber implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String text) {
    return KnownPrograms.number(text).orElseGet(() -> {
      try {
        return new Unsigned().convert(text);
      } catch (TypeConversionException e) {
        throw new TypeConversionException(e.getMessage() + ", nor a name that info prints: "
            + String.join(", ", KnownPrograms.names()));
      }
    });
  }
}
