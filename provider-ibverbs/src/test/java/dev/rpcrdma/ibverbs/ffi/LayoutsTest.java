// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.lab.DebianTools;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Layouts} and {@link Numbers} beside rdma-core's headers, as a C compiler understands them. */
@NeedsRdmaHeaders
class LayoutsTest {

  private static final String HEADERS = """
      #include <stddef.h>
      #include <stdio.h>
      #include <infiniband/verbs.h>
      #include <rdma/rdma_cma.h>
      int main(void) {
      """;

  /** Classes by the structures that they stand for. */
  private static final Map<Class<?>, String> STRUCTURES = Map.ofEntries(
      Map.entry(Layouts.Device.class, "ibv_device"),
      Map.entry(Layouts.Context.class, "ibv_context"),
      Map.entry(Layouts.DeviceAttr.class, "ibv_device_attr"),
      Map.entry(Layouts.PortAttr.class, "ibv_port_attr"),
      Map.entry(Layouts.Mr.class, "ibv_mr"),
      Map.entry(Layouts.CompChannel.class, "ibv_comp_channel"),
      Map.entry(Layouts.Qp.class, "ibv_qp"),
      Map.entry(Layouts.QpInitAttr.class, "ibv_qp_init_attr"),
      Map.entry(Layouts.Sge.class, "ibv_sge"),
      Map.entry(Layouts.SendWr.class, "ibv_send_wr"),
      Map.entry(Layouts.RecvWr.class, "ibv_recv_wr"),
      Map.entry(Layouts.Wc.class, "ibv_wc"),
      Map.entry(Layouts.AsyncEvent.class, "ibv_async_event"),
      Map.entry(Layouts.EventChannel.class, "rdma_event_channel"),
      Map.entry(Layouts.CmId.class, "rdma_cm_id"),
      Map.entry(Layouts.ConnParam.class, "rdma_conn_param"),
      Map.entry(Layouts.CmEvent.class, "rdma_cm_event"));

  /** Fields that are deeper in their structures, or have other names there. */
  private static final Map<String, String> FIELDS = Map.ofEntries(
      Map.entry("ibv_device.transport", "transport_type"),
      Map.entry("ibv_context.poll_cq", "ops.poll_cq"),
      Map.entry("ibv_context.req_notify_cq", "ops.req_notify_cq"),
      Map.entry("ibv_context.post_send", "ops.post_send"),
      Map.entry("ibv_context.post_recv", "ops.post_recv"),
      Map.entry("ibv_qp_init_attr.max_send_wr", "cap.max_send_wr"),
      Map.entry("ibv_qp_init_attr.max_recv_wr", "cap.max_recv_wr"),
      Map.entry("ibv_qp_init_attr.max_send_sge", "cap.max_send_sge"),
      Map.entry("ibv_qp_init_attr.max_recv_sge", "cap.max_recv_sge"),
      Map.entry("ibv_qp_init_attr.max_inline_data", "cap.max_inline_data"),
      Map.entry("ibv_send_wr.remote_addr", "wr.rdma.remote_addr"),
      Map.entry("ibv_send_wr.rkey", "wr.rdma.rkey"),
      Map.entry("rdma_cm_id.src_addr", "route.addr.src_addr"),
      Map.entry("rdma_cm_id.dst_addr", "route.addr.dst_addr"),
      Map.entry("rdma_cm_event.private_data", "param.conn.private_data"),
      Map.entry("rdma_cm_event.private_data_len", "param.conn.private_data_len"),
      Map.entry("rdma_cm_event.responder_resources", "param.conn.responder_resources"),
      Map.entry("rdma_cm_event.initiator_depth", "param.conn.initiator_depth"));

  @TempDir
  private Path folder;

  private Map<String, Integer> asCompiled(Map<String, String> expressions) throws Exception {
    StringBuilder program = new StringBuilder(HEADERS);
    expressions.forEach((name, expression) ->
        program.append("printf(\"%s %%d\\n\", (int) (%s));\n".formatted(name, expression)));
    Path source = Files.writeString(folder.resolve("layouts.c"), program + "return 0; }\n");
    Map<String, Integer> values = new TreeMap<>();
    DebianTools.run(folder, List.of(Compiler.compile(source).toString())).lines()
        .forEach(line -> values.put(line.split(" ")[0], Integer.valueOf(line.split(" ")[1])));
    return values;
  }

  @Test
  @DisplayName("Each field is where the compiler puts it, and structures that we make have their sizes")
  void fields() throws Exception {
    Map<String, Integer> ours = new TreeMap<>();
    Map<String, String> expressions = new TreeMap<>();
    for (Class<?> type : Layouts.class.getDeclaredClasses()) {
      String structure = STRUCTURES.get(type);
      assertThat(structure).as("%s", type).isNotNull();
      for (Field field : type.getDeclaredFields()) {
        String name = structure + "." + field.getName().toLowerCase(Locale.ROOT);
        ours.put(name, field.getInt(null));
        expressions.put(name, field.getName().equals("SIZE") ? "sizeof(struct " + structure + ")"
            : "offsetof(struct " + structure + ", " + FIELDS.getOrDefault(name, name.substring(structure.length() + 1))
                + ")");
      }
    }
    assertThat(asCompiled(expressions)).isEqualTo(ours);
  }

  @Test
  @DisplayName("Each number is the enumerator's of its name")
  void numbers() throws Exception {
    Map<String, Integer> ours = new TreeMap<>();
    Map<String, String> expressions = new TreeMap<>();
    for (Field field : Numbers.class.getDeclaredFields()) {
      String name = field.getName();
      ours.put(name, field.getInt(null));
      expressions.put(name, name.equals("PS_TCP") ? "RDMA_PS_TCP"
          : name.matches("(WR|SEND|WC|ACCESS|QPT|QPS|QP|TRANSPORT|PORT)_.*") ? "IBV_" + name : "RDMA_CM_EVENT_" + name);
    }
    assertThat(asCompiled(expressions)).isEqualTo(ours);
  }
}
