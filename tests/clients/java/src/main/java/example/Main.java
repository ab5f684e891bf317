package example;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** fabric8's client, used by Quarkus and the Java Operator SDK, against the fake API server. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      new Writes(client).run();
      new Reads(client).run();
      new CustomResources(client).run();
      new Election(client).run();
    }
    // Threads of the HTTP client may continue for a while.
    System.exit(0);
  }
}
