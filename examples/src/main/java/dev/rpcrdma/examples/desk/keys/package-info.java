// SPDX-License-Identifier: Apache-2.0
/** Keys and certificates to try the desk with; an organization has its own. */
package dev.rpcrdma.examples.desk.keys;
