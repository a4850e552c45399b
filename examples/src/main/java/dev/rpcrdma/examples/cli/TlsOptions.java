// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLOptions;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** TLS, of either end. Its files are PEM. */
abstract class TlsOptions {

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

  /** Whether there is TLS; complains of what does not go together. */
  final boolean hasTls() {
    if ((certificate == null) != (key == null)) {
      throw wrong("--tls-cert and --tls-key go together");
    }
    needs("--tls-cert", certificate != null, "--tls", tls);
    needs("--tls-trust", trust != null, "--tls", tls);
    return tls;
  }

  final boolean hasCertificate() {
    return certificate != null;
  }

  final boolean hasTrust() {
    return trust != null;
  }

  final <T extends SSLOptions> T with(T options) {
    if (certificate != null) {
      options.setKeyCertOptions(new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString()));
    }
    if (trust != null) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(trust.toString()));
    }
    return options;
  }

  final void needs(String option, boolean given, String other, boolean otherGiven) {
    if (given && !otherGiven) {
      throw wrong(option + " needs " + other);
    }
  }

  /** What the command line has that cannot be. */
  final ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
