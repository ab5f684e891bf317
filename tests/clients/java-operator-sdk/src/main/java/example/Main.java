package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Runs the program of the page about the Java Operator SDK, and checks what it does. */
public final class Main {
  // No check needs more than a few round trips to a server on the same machine.
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Main() {}

  /** Body of a check, which fails by throwing. */
  private interface Body {
    void run() throws Exception;
  }

  public static void main(String[] args) {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      Operator operator = new Operator(configuration -> configuration.withKubernetesClient(client));
      operator.register(new Notes());
      operator.start();
      Resource<ConfigMap> note =
          client.configMaps().inNamespace("default").withName("web-note");
      check(
          "a deployment gets its note",
          () -> {
            client.resource(deployment(2)).create();
            until("the note", () -> note.get() != null && isReplicas(note.get(), "2"));
          });
      check(
          "a changed deployment changes its note",
          () -> {
            client.resource(deployment(3)).update();
            until("the change of the note", () -> isReplicas(note.get(), "3"));
          });
      check(
          "the note goes with the deployment",
          () -> {
            client.resource(deployment(3)).delete();
            until("the end of the note", () -> note.get() == null);
          });
    }
    // Threads of the operator may continue for a while.
    System.exit(0);
  }

  private static boolean isReplicas(ConfigMap note, String replicas) {
    return note.getData().get("replicas").equals(replicas);
  }

  private static Deployment deployment(int replicas) {
    Map<String, String> labels = Map.of("app", "web");
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("web")
        .withImage("web")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static void check(String name, Body body) {
    try {
      body.run();
      System.out.println("ok   " + name);
    } catch (Exception error) {
      System.out.println("FAIL " + name + ": " + error.toString().replace('\n', ' '));
    }
  }

  private static void until(String what, BooleanSupplier isTrue) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!isTrue.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(what + " did not happen in time");
      }
      Thread.sleep(10);
    }
  }
}
