// SPDX-License-Identifier: Apache-2.0
/** The manual's tables of options, which are written from the declarations. */
package dev.rpcrdma.requirements.options;
