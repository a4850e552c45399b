// SPDX-License-Identifier: Apache-2.0
/** Whether the classes of this product find what they call in other releases of Vert.x than that they are built with. */
package dev.rpcrdma.requirements.link;
