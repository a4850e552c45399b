// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

/**
 * Who calls an rpcbind, and how.
 *
 * @param maySet whether it may register, and take back
 * @param netid by which network it calls, such as {@link Netid#TCP}
 * @param reached the address of this host that it calls, which stands for wildcards
 * @param seconds the time since 1970
 */
public record RpcbindCaller(boolean maySet, String netid, String reached, int seconds) {}
