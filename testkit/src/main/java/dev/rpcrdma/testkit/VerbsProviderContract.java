// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

/**
 * What every provider passes, unchanged. A provider's test class implements it and names its
 * provider:
 *
 * <pre>{@code
 * final class AcmeProviderTest implements VerbsProviderContract {
 *   public VerbsProvider provider() {
 *     return new AcmeProvider();
 *   }
 * }
 * }</pre>
 */
public interface VerbsProviderContract extends ConnectingContract, InstancesContract,
    MessageContract, DirectDataContract, PostingContract, ProtectionContract, TeardownContract {
}
