// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.DeskEvents;
import java.util.Set;

/**
 * A client that is called back.
 *
 * @param tenant whose desk it looks at
 * @param user whose fills it hears of
 * @param symbols whose quotes it hears of
 * @param events calls it, over whatever connection it has
 */
record Subscriber(String tenant, String user, Set<String> symbols, DeskEvents events) {}
