// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.micrometer.RpcMeterBinder;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The queries of the dashboard, and of the manual, against what a Prometheus would read of a client and a server. */
class DashboardTest {

  private static final Path DASHBOARD = Path.of("../docs/grafana/rpcrdma.json");
  /** A metric, and what its labels shall be. */
  private static final Pattern METRIC = Pattern.compile("(rpcrdma_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern CONDITION = Pattern.compile("(\\w+)(=~|!=|=)\"([^\"]*)\"");
  private static final Pattern GROUPS = Pattern.compile("sum by \\(([^)]*)\\) \\(rate\\((rpcrdma_\\w+)");
  private static final Pattern SAMPLE = Pattern.compile("^(rpcrdma_\\w+)(?:\\{(.*)})? [-+.0-9E]+$");

  /** One line that Prometheus reads. */
  private record Sample(String metric, Map<String, String> labels) {

    /** Whether a query means it; instance is a label that Prometheus adds. */
    boolean fits(String conditions) {
      Matcher each = CONDITION.matcher(conditions);
      while (each.find()) {
        boolean same = each.group(3).equals(labels.get(each.group(1)));
        if (!each.group(1).equals("instance") && same == each.group(2).equals("!=")) {
          return false;
        }
      }
      return true;
    }
  }

  private static List<Sample> scrape() {
    Vertx vertx = Vertx.vertx();
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try {
      RpcStatistics statistics = RpcStatistics.create();
      RpcServer server = Waiting.await(RpcServer.builder(vertx).withStatistics(statistics).build()
          .bind(Orders.class, new OrderDesk()).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      RpcChannel channel = RpcClient.builder(vertx).withStatistics(statistics).build()
          .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
      RpcMeterBinder binder = new RpcMeterBinder(vertx, statistics);
      binder.bindTo(registry);
      Waiting.await(channel.proxy(Orders.class).place("tea", 1));
      Waiting.until(() -> registry.find("rpcrdma.calls").tag("side", "responder").functionCounter() != null);
      List<Sample> samples = samples(registry.scrape());
      binder.close();
      return samples;
    } finally {
      Waiting.await(vertx.close());
    }
  }

  private static List<Sample> samples(String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.split("\n")) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        Map<String, String> labels = new HashMap<>();
        Matcher each = CONDITION.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (each.find()) {
          labels.put(each.group(1), each.group(3));
        }
        samples.add(new Sample(sample.group(1), labels));
      }
    }
    return samples;
  }

  private static List<String> queries() throws Exception {
    List<String> queries = new ArrayList<>();
    JsonObject dashboard = new JsonObject(Files.readString(DASHBOARD));
    JsonArray panels = dashboard.getJsonArray("panels");
    for (int i = 0; i < panels.size(); i++) {
      panels.getJsonObject(i).getJsonArray("targets").forEach(target ->
          queries.add(((JsonObject) target).getString("expr")));
    }
    int ofDashboard = queries.size();
    ManualPage.of("observing.md").rows("What to watch").forEach(row -> queries.add(row.get(1).replace("`", "")));
    assertThat(ofDashboard).isPositive();
    assertThat(queries).hasSizeGreaterThan(ofDashboard);
    return queries;
  }

  /** Fails if a meter of {@code RpcMeterBinder} is called otherwise, or has lost a tag. */
  @Test
  @DisplayName("Each query of the dashboard and of the manual finds what Prometheus is given")
  void queriesFindSomething() throws Exception {
    List<Sample> samples = scrape();
    for (String query : queries()) {
      Matcher metrics = METRIC.matcher(query);
      int found = 0;
      while (metrics.find()) {
        String conditions = metrics.group(2) == null ? "" : metrics.group(2);
        assertThat(samples).as(query).anyMatch(sample ->
            sample.metric.equals(metrics.group(1)) && sample.fits(conditions));
        found++;
      }
      assertThat(found).as(query).isPositive();
      Matcher groups = GROUPS.matcher(query);
      while (groups.find()) {
        assertThat(samples).as(query).filteredOn(sample -> sample.metric.equals(groups.group(2)))
            .allSatisfy(sample -> assertThat(sample.labels).containsKeys(groups.group(1).split(", ")));
      }
    }
  }
}
