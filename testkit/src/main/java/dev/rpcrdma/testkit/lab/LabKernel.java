// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kernels that the lab's machine can have, each from Debian's packages. */
public enum LabKernel {
  /** The kernel that Debian 12 began with: most tests are for it. */
  LINUX_6_1("6.1", 1 << 20, "aes256-cts-hmac-sha1-96"),
  /** The newest that Debian 12 offers. */
  LINUX_6_12("6.12", 1 << 20, "aes256-cts-hmac-sha384-192");

  /** The system property that says which kernel a test run is for. */
  static final String PROPERTY = "rpcrdma.lab.kernel";

  private static final String VARIABLE = "RPCRDMA_LAB_KERNEL";

  private final String series;
  private final int largestTransfer;
  private final String keyType;

  LabKernel(String series, int largestTransfer, String keyType) {
    this.series = series;
    this.largestTransfer = largestTransfer;
    this.keyType = keyType;
  }

  /**
   * The series, as the lab's script names it.
   *
   * @return such as {@code 6.1}
   */
  public String series() {
    return series;
  }

  /**
   * The most that one READ or WRITE of NFS carries, whether this kernel serves it or asks for it. A
   * constant of its source: configuration only lowers it.
   *
   * @return bytes
   */
  public int largestTransfer() {
    return largestTransfer;
  }

  /**
   * The strongest encryption type of Kerberos that it has: those of RFC 8009 are not in 6.1.
   *
   * @return the name that {@code krb5.conf} has for it
   */
  String keyType() {
    return keyType;
  }

  /**
   * Which kernel this test run is for.
   *
   * @return empty if the user has not said, neither by the system property {@code rpcrdma.lab.kernel}
   *     nor by the environment variable {@code RPCRDMA_LAB_KERNEL}
   * @throws IllegalArgumentException if the lab has no such kernel
   */
  static Optional<LabKernel> ofRun() {
    return Optional.ofNullable(System.getProperty(PROPERTY, System.getenv(VARIABLE)))
        .filter(named -> !named.isEmpty()).map(LabKernel::named);
  }

  private static LabKernel named(String series) {
    return Arrays.stream(values()).filter(kernel -> kernel.series.equals(series)).findAny()
        .orElseThrow(() -> new IllegalArgumentException("The lab has no kernel " + series
            + ", but " + Arrays.stream(values()).map(LabKernel::series)
                .collect(Collectors.joining(", "))));
  }
}
