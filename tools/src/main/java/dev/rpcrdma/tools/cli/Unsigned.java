// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an unsigned number of 32 bits, in decimal or, after 0x, in hexadecimal. */
final class Unsigned implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String text) {
    try {
      return text.startsWith("0x") ? Integer.parseUnsignedInt(text.substring(2), 16)
          : Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a number of 32 bits, from 0 to 4294967295");
    }
  }
}
