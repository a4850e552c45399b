// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import java.util.Optional;

/**
 * What OPEN gives.
 *
 * @param file stands for the open file
 * @param delegation stands for the right to rely on what was read; empty if it was not given
 */
public record Opened(StateId file, Optional<StateId> delegation) {}
