// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.verbs.base.Causes;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ietf.jgss.GSSException;

/**
 * Failures of the JDK's GSS-API, as they are on the wire: its numbers are others than those of C (RFC 2744 §3.9.1). What
 * Kerberos says is the minor status, as MIT and Heimdal number it; the JDK has it in words alone.
 */
final class Statuses {

  private static final int SHIFT = 16;
  private static final int NO_CREDENTIAL = 7;
  private static final int FAILURE = 13;
  /** Where the table of errors of RFC 4120 §7.5.9 begins. */
  private static final int TABLE = -1765328384;
  private static final int LARGEST_ERROR = 127;
  /** KRB_AP_ERR_BAD_INTEGRITY, for which the JDK has words alone. */
  private static final int BAD_INTEGRITY = 31;
  private static final String JDK_BAD_INTEGRITY = "Checksum failed";
  /** KRB_AP_ERR_NOKEY. */
  private static final int NO_KEY = 45;
  /** KRB_ERR_GENERIC. */
  private static final int GENERIC = 60;
  /** The JDK's own number for what has no key. */
  private static final int JDK_NO_KEY = 400;
  private static final Pattern ERROR = Pattern.compile("\\((\\d{1,4})\\)");

  /** Of those that tell what is wrong with a ticket. */
  private static final Map<Integer, String> ERRORS = Map.ofEntries(
      Map.entry(BAD_INTEGRITY, "its keytab has not the key that the ticket is encrypted by; is it an old one, or of"
          + " another principal?"),
      Map.entry(32, "the ticket has expired"), Map.entry(33, "the ticket is not yet valid"),
      Map.entry(34, "the request was there before"), Map.entry(35, "the ticket is not for it"),
      Map.entry(36, "the ticket is not the caller's"), Map.entry(37, "the clocks differ too much"),
      Map.entry(41, "the message was changed"), Map.entry(44, "its keytab has no key of the ticket's version"),
      Map.entry(NO_KEY, "its keytab has no key of the ticket's kind"), Map.entry(GENERIC, "its log says more"));

  private static final Map<Integer, Integer> ROUTINE_ERRORS = Map.ofEntries(
      Map.entry(GSSException.BAD_MECH, 1), Map.entry(GSSException.BAD_NAME, 2), Map.entry(GSSException.BAD_NAMETYPE, 3),
      Map.entry(GSSException.BAD_BINDINGS, 4), Map.entry(GSSException.BAD_STATUS, 5), Map.entry(GSSException.BAD_MIC, 6),
      Map.entry(GSSException.NO_CRED, NO_CREDENTIAL), Map.entry(GSSException.NO_CONTEXT, 8),
      Map.entry(GSSException.DEFECTIVE_TOKEN, 9), Map.entry(GSSException.DEFECTIVE_CREDENTIAL, 10),
      Map.entry(GSSException.CREDENTIALS_EXPIRED, 11), Map.entry(GSSException.CONTEXT_EXPIRED, 12),
      Map.entry(GSSException.FAILURE, FAILURE), Map.entry(GSSException.BAD_QOP, 14),
      Map.entry(GSSException.UNAUTHORIZED, 15), Map.entry(GSSException.UNAVAILABLE, 16),
      Map.entry(GSSException.DUPLICATE_ELEMENT, 17), Map.entry(GSSException.NAME_NOT_MN, 18));

  private Statuses() {}

  static GssFailure failure(GSSException why) {
    return new GssFailure(ROUTINE_ERRORS.getOrDefault(why.getMajor(), FAILURE) << SHIFT, minor(why),
        Causes.message(why));
  }

  private static int minor(GSSException why) {
    if (why.getCause() == null) {
      return why.getMinor();
    }
    String words = Causes.message(why.getCause());
    Matcher error = ERROR.matcher(words);
    if (!error.find()) {
      return TABLE + (words.contains(JDK_BAD_INTEGRITY) ? BAD_INTEGRITY : GENERIC);
    }
    int number = Integer.parseInt(error.group(1));
    return TABLE + (number <= LARGEST_ERROR ? number : number == JDK_NO_KEY ? NO_KEY : GENERIC);
  }

  /** What a minor status of the other end says. */
  static Optional<String> words(int minor) {
    return Optional.ofNullable(ERRORS.get(minor - TABLE));
  }

  static GssFailure noCredential(String message) {
    return new GssFailure(NO_CREDENTIAL << SHIFT, 0, message);
  }

  /** This end has found something that the mechanism had not. */
  static GssFailure refused(String message) {
    return new GssFailure(FAILURE << SHIFT, 0, message);
  }
}
