// SPDX-License-Identifier: Apache-2.0
/**
 * Report of a whole build, which Maven prints behind the tests of the last module: skipped tests with their reasons,
 * test classes that take longer than their size tag allows, and the slowest classes. Reads surefire's reports of all
 * modules.
 */
package dev.rpcrdma.requirements.report;
