// SPDX-License-Identifier: Apache-2.0
/** Parts that generated code and the event bus have in common. */
package dev.rpcrdma.service.impl;
