// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes names of Java as names of the XDR language (RFC 4506 §6.2) that compile in C. Different names stay different:
 *
 * <ul>
 *   <li>A character other than ASCII letters, digits and the underscore becomes {@code _u} and its four hexadecimal
 *       digits. An underscore in front of such text becomes {@code _u005f}.
 *   <li>A name that does not begin with a letter gets an {@code x} in front; so does a name of {@code x} and an
 *       underscore, which looks like one.
 *   <li>A name that C may know gets an underscore at its end: keywords and macros of the lists below, names that have
 *       an underscore or no lower-case letter, and types that begin with a lower-case letter.
 * </ul>
 */
final class XdrNames {

  /** Keywords of the RPC language and of C, and macros of C compilers and headers that Java's naming allows. */
  private static final Set<String> RESERVED = Set.of("alignas", "alignof", "asm", "auto", "bool", "break", "case",
      "char", "const", "constexpr", "continue", "default", "do", "double", "else", "enum", "errno", "extern", "false",
      "float", "for", "goto", "hyper", "i386", "if", "inline", "int", "linux", "long", "mips", "nullptr", "opaque",
      "program", "quadruple", "register", "restrict", "return", "short", "signed", "sizeof", "sparc", "static",
      "stderr", "stdin", "stdout", "string", "struct", "sun", "switch", "true", "typedef", "typeof", "union", "unix",
      "unsigned", "version", "void", "volatile", "while");

  /** Words in capitals that the headers of RPC define: programs are macros in capitals, too. */
  private static final Set<String> RESERVED_WORDS = Set.of("AUTH", "BUFSIZ", "CALL", "CANBSIZ", "CLIENT", "DIR",
      "DOMAIN", "EOF", "FALSE", "FILE", "INFINITY", "MAXHOSTNAMELEN", "MAXPATHLEN", "MAXSYMLINKS", "NAN", "NBBY",
      "NCARGS", "NGREG", "NGROUPS", "NOFILE", "NOGROUP", "NSIG", "NULL", "NULLPROC", "REPLY", "RPC", "SUCCESS",
      "SVCXPRT", "TRUE", "XDR");

  /** Text that an escaped character looks like. */
  private static final Pattern LIKE_ESCAPED = Pattern.compile("u[0-9a-f]{4}");
  private static final Pattern NO_LETTER_FIRST = Pattern.compile("x*_.*");
  private static final Pattern LOWER_CASE = Pattern.compile("[a-z]");

  private XdrNames() {}

  /** The name of a component, an arm or a procedure. */
  static String member(String name) {
    return end(name, name.contains("_") || RESERVED.contains(name));
  }

  /** The name of a type, which C has in one scope with its functions. */
  static String type(String name) {
    return end(name, name.contains("_") || RESERVED.contains(name) || Character.isLowerCase(name.charAt(0)));
  }

  /** The name of a program as a macro: its words in capitals. */
  static String program(String name) {
    String capitals = capitals(escaped(name));
    return RESERVED_WORDS.contains(capitals) ? capitals + "_" : capitals;
  }

  /** A name in capitals, with an underscore between its words. */
  static String capitals(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
  }

  private static String end(String name, boolean mayBeKnown) {
    String escaped = escaped(name);
    return mayBeKnown || escaped.length() > name.length() || !LOWER_CASE.matcher(escaped).find()
        ? escaped + "_" : escaped;
  }

  /** A name with all of its characters, which C may know. */
  static String escaped(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = c < 0x80 && Character.isLetterOrDigit(c)
          || c == '_' && !LIKE_ESCAPED.matcher(name).region(i + 1, name.length()).lookingAt();
      text.append(plain ? c : String.format(Locale.ROOT, "_u%04x", (int) c));
    }
    return NO_LETTER_FIRST.matcher(text).matches() ? "x" + text : text.toString();
  }
}
