// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLOptions;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** TLS, of either end. Its files are PEM. */
public abstract class TlsOptions {

  @Option(names = "--tls", description = "Protect connections by TLS; needs the provider siw at both ends.")
  private boolean tls;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "The certificate of this end, with --tls-key.")
  private Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "The key of this end's certificate.")
  private Path key;

  @Option(names = "--tls-trust", paramLabel = "FILE",
      description = "Whose certificates are believed; by default those that this JDK believes.")
  private Path trust;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** For those that add options of one end. */
  protected TlsOptions() {}

  /**
   * Tells whether there is TLS; complains of what does not go together.
   *
   * @return true if {@code --tls} was given
   */
  public final boolean hasTls() {
    if ((certificate == null) != (key == null)) {
      throw wrong("--tls-cert and --tls-key go together");
    }
    needs("--tls-cert", certificate != null, "--tls", tls);
    needs("--tls-trust", trust != null, "--tls", tls);
    return tls;
  }

  /**
   * Tells whether this end has a certificate.
   *
   * @return true if one was given
   */
  protected final boolean hasCertificate() {
    return certificate != null;
  }

  /**
   * Tells whether it was said whose certificates are believed.
   *
   * @return true if that was said
   */
  protected final boolean hasTrust() {
    return trust != null;
  }

  /**
   * Adds certificates to options.
   *
   * @param options of one end
   * @param <T> their type
   * @return the same
   */
  protected final <T extends SSLOptions> T with(T options) {
    if (certificate != null) {
      options.setKeyCertOptions(new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString()));
    }
    if (trust != null) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(trust.toString()));
    }
    return options;
  }

  /**
   * Complains of an option that needs another one.
   *
   * @param option its name
   * @param given whether it was given
   * @param other what it needs
   * @param otherGiven whether that was given
   */
  protected final void needs(String option, boolean given, String other, boolean otherGiven) {
    if (given && !otherGiven) {
      throw wrong(option + " needs " + other);
    }
  }

  /**
   * Makes the complaint of a command line that cannot be.
   *
   * @param why what is wrong
   * @return to be thrown
   */
  protected final ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
