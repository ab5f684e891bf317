package example;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** fabric8's client, which Quarkus and the Java Operator SDK use, against the fake API server. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      new Writes(client).run();
      new Reads(client).run();
      new CustomResources(client).run();
      new Election(client).run();
    }
    // Threads of the HTTP client may outlive it for a while.
    System.exit(0);
  }
}
