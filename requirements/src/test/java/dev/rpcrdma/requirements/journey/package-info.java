// SPDX-License-Identifier: Apache-2.0
/** Which classes a call meets on its way. */
package dev.rpcrdma.requirements.journey;
