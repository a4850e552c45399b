package dev.rpcrdma.api.impl.kerberos;

import dev.rpcrdma.protocol.gss.GssFailure;
import java.util.Map;
import org.ietf.jgss.GSSException;

/** Failures of the JDK's GSS-API, as they are on the wire: its numbers are others than those of C (RFC 2744 §3.9.1). */
final class Statuses {

  private static final int SHIFT = 16;
  private static final int NO_CREDENTIAL = 7;
  private static final int FAILURE = 13;

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
    return new GssFailure(ROUTINE_ERRORS.getOrDefault(why.getMajor(), FAILURE) << SHIFT, why.getMinor(),
        String.valueOf(why.getMessage()));
  }

  static GssFailure noCredential(String message) {
    return new GssFailure(NO_CREDENTIAL << SHIFT, 0, message);
  }

  /** This end has found something that the mechanism had not. */
  static GssFailure refused(String message) {
    return new GssFailure(FAILURE << SHIFT, 0, message);
  }
}
