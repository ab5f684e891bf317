// The operator of listwatch.ts with the Java Operator SDK, its Micrometer metrics and the JDK's
// HTTP server for probes and metrics.
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.*;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

@ControllerConfiguration
public class JavaOperatorSdk implements Reconciler<Deployment> {
  @Override
  public UpdateControl<Deployment> reconcile(Deployment deployment, Context<Deployment> context) {
    var metadata = deployment.getMetadata();
    var note = new ConfigMapBuilder()
        .withNewMetadata().withName(metadata.getName() + "-note")
        .withNamespace(metadata.getNamespace()).endMetadata()
        .withData(Map.of("replicas", String.valueOf(deployment.getSpec().getReplicas())))
        .build();
    note.addOwnerReference(deployment);
    context.getClient().resource(note).forceConflicts().serverSideApply();
    return UpdateControl.noUpdate();
  }

  @Override
  public List<EventSource<?, Deployment>> prepareEventSources(
      EventSourceContext<Deployment> context) {
    var configuration = InformerEventSourceConfiguration
        .from(ConfigMap.class, Deployment.class).build();
    return List.of(new InformerEventSource<>(configuration, context));
  }

  public static void main(String[] args) throws IOException {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var operator = new Operator(configuration -> configuration
        .withMetrics(MicrometerMetrics.withoutPerResourceMetrics(registry))
        .withLeaderElectionConfiguration(new LeaderElectionConfiguration("notes", "default")));
    operator.register(new JavaOperatorSdk());
    operator.installShutdownHook(java.time.Duration.ofSeconds(20));
    var server = HttpServer.create(new InetSocketAddress(8081), 0);
    serve(server, "/livez", () -> "ok");
    serve(server, "/readyz", () -> operator.getRuntimeInfo().allEventSourcesAreHealthy() ? "ok" : null);
    serve(server, "/metrics", registry::scrape);
    server.start();
    operator.start();
  }

  private static void serve(HttpServer server, String path, Supplier<String> page) {
    server.createContext(path, exchange -> {
      var text = page.get();
      var body = (text == null ? "not ready" : text).getBytes();
      exchange.sendResponseHeaders(text == null ? 503 : 200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
  }
}
