// SPDX-License-Identifier: Apache-2.0
/** What all benches share: the command, figures and their JSON form, the second process. */
package dev.rpcrdma.bench;
