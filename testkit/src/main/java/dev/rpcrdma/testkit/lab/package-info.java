// SPDX-License-Identifier: Apache-2.0
/**
 * Tests against a real Linux: a virtual machine with Debian's kernel, its iWARP driver {@code siw},
 * its NFS server and its RDMA programs.
 *
 * <pre>{@code
 * @WithLab
 * final class PingTest {
 *   @Test
 *   void answers(LabVm vm) {
 *     vm.siw(SiwVariant.CRC);
 *     LabCommand server = vm.start("rping -s -a 10.0.2.15 -p 7174 -C 4");
 *     vm.awaitListener(7174);
 *     connectTo("127.0.0.1", vm.forward(7174));
 *     server.await().expectSuccess();
 *   }
 * }
 * }</pre>
 *
 * <p>All classes of one test run share one machine, which is booted when the first test needs it
 * and powered off when the run ends, however it ends. It needs no hardware and no KVM, and uses KVM
 * where that works. From inside,
 * the host's loopback is {@link dev.rpcrdma.testkit.lab.LabVm#HOST}.
 *
 * <h2>Kernels</h2>
 *
 * <p>A run is for one {@link dev.rpcrdma.testkit.lab.LabKernel}, named by the system property
 * {@code rpcrdma.lab.kernel} or the environment variable {@code RPCRDMA_LAB_KERNEL}. Tests with
 * {@link dev.rpcrdma.testkit.lab.OnKernel} run with that kernel only. In a run for none in particular
 * these get what they need and all others 6.1; the machines run one after the other, so classes that
 * need the same one should not be far apart.
 *
 * <h2>Where the lab cannot run</h2>
 *
 * <p>The machine is made and driven by the script {@code testkit/lab/lab}, which must be above the
 * working directory, or named by the system property {@code rpcrdma.lab.script}. Where it is not
 * there, or says that it cannot run, the tests are skipped and the reason is printed. With the system
 * property {@code rpcrdma.lab} or the environment variable {@code RPCRDMA_LAB} set to
 * {@code required} they fail instead. So do tests whose programs, files or rights are missing
 * ({@link dev.rpcrdma.testkit.lab.NeedsTools}, {@link dev.rpcrdma.testkit.lab.NeedsTshark},
 * {@link dev.rpcrdma.testkit.lab.NeedsRoot}).
 */
package dev.rpcrdma.testkit.lab;
