// SPDX-License-Identifier: Apache-2.0
/** Parts of what carries calls over the event bus. */
package dev.rpcrdma.service.eventbus.impl;
