// SPDX-License-Identifier: Apache-2.0
/** Calls as messages of the event bus, and back. */
package dev.rpcrdma.service.eventbus.impl;
