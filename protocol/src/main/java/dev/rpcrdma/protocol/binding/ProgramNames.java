// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

/** How programs and procedures are called in messages for people. */
public final class ProgramNames {

  private ProgramNames() {}

  /**
   * A program without a name.
   *
   * @param program its number
   * @return the number, as rpcinfo and RFC 5531 write those of sites
   */
  public static String number(int program) {
    return "0x" + Integer.toHexString(program);
  }

  /**
   * A version of a program.
   *
   * @param name the program's name, or {@link #number}
   * @param program its number
   * @param version its version
   * @return such as {@code program Ledger (0x20060099) version 1}
   */
  public static String version(String name, int program, int version) {
    String number = number(program);
    return "program " + (name.equals(number) ? number : name + " (" + number + ")") + " version "
        + Integer.toUnsignedString(version);
  }

  /**
   * A procedure.
   *
   * @param program the program's name, or {@link #number}
   * @param procedure the procedure's name, or its number
   * @return such as {@code Ledger/append}
   */
  public static String procedure(String program, String procedure) {
    return program + "/" + procedure;
  }

  /**
   * A procedure, and all its numbers.
   *
   * @param name the program's name, or {@link #number}
   * @param program its number
   * @param version its version
   * @param procedureName the procedure's name, or its number
   * @param procedure the procedure's number
   * @return such as {@code Ledger/append (program 0x20060099 version 1 procedure 3)}
   */
  public static String procedure(String name, int program, int version, String procedureName, int procedure) {
    return procedure(name, procedureName) + " (program " + number(program) + " version "
        + Integer.toUnsignedString(version) + " procedure " + Integer.toUnsignedString(procedure) + ")";
  }
}
