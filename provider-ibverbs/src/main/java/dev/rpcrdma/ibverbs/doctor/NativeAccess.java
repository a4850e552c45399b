// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.doctor;

import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.base.Causes;

/**
 * Why jnr-ffi, by which C functions are called, does not work. Its jar brings a native part, which it unpacks into the
 * folder for temporary files, to load it from there.
 */
final class NativeAccess {

  private static final String SUBJECT = "native access";
  private static final String ALLOW = "--enable-native-access=ALL-UNNAMED";

  /** What Java says of a class whose initialization has thrown something else before, as the first time for others. */
  private static final String FAILED_BEFORE = "Could not initialize class ";

  private NativeAccess() {}

  /** What to do about what was thrown when its classes were used. */
  static Finding problem(LinkageError thrown) {
    // jffi puts whole stack traces into its messages.
    String text = Causes.innermost(thrown).lines().findFirst().orElse("");
    if (text.contains("IllegalCallerException")) {
      return Finding.problem(SUBJECT, "Java does not let jnr-ffi load its native part (--illegal-native-access=deny)",
          "Allow it: '" + ALLOW + "' where jars are on the class path,"
              + " '--enable-native-access=org.jnrproject.jffi' on the module path. " + Examination.SIW);
    }
    if (thrown instanceof NoClassDefFoundError && !Causes.message(thrown).startsWith(FAILED_BEFORE)) {
      return Finding.problem(SUBJECT, "jnr-ffi is not on the class path, or not all of it: "
          + Causes.message(thrown).replace('/', '.') + " is missing",
          "Add com.github.jnr:jnr-ffi with its dependencies, as the pom of vertx-rpcrdma-provider-ibverbs names it. "
              + Examination.SIW);
    }
    return Finding.problem(SUBJECT, "jnr-ffi cannot unpack and load its native part in java.io.tmpdir, "
        + System.getProperty("java.io.tmpdir") + ": "
            + text.replaceFirst("^(?:[\\w.]+(?:Error|Exception): )+", "").replaceFirst("\\.$", ""),
        "Let java.io.tmpdir name a folder that can be written to, and from which programs may be loaded: by"
            + " '-Djava.io.tmpdir=FOLDER', or in a container by a volume without noexec. If Java refuses native code,"
            + " allow it: '" + ALLOW + "'. " + Examination.SIW);
  }
}
