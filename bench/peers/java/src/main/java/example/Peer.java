package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** fabric8's informers in all namespaces: of pods, or of KINDS kinds of custom resources. */
public final class Peer {
  private Peer() {}

  public static void main(String[] args) throws Exception {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(System.getenv("SERVER"))
            // The benchmark's server has no WebSockets, which would be tried first.
            .withOnlyHttpWatches(true)
            .build();
    var added = new CountDownLatch(Integer.parseInt(System.getenv("PODS")));
    var updated = new CountDownLatch(Integer.parseInt(System.getenv("EVENTS")));
    var orders = new BufferedReader(new InputStreamReader(System.in));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      int kinds = Integer.parseInt(System.getenv("KINDS"));
      List<SharedIndexInformer<?>> informers = new ArrayList<>();
      if (kinds == 0) {
        var informer = client.pods().inAnyNamespace().runnableInformer(0);
        informer.addEventHandler(new Counter<>(added, updated));
        informers.add(informer);
      }
      for (int kind = 0; kind < kinds; kind++) {
        SharedIndexInformer<GenericKubernetesResource> informer =
            client.genericKubernetesResources(contextOf(kind)).inAnyNamespace().runnableInformer(0);
        informer.addEventHandler(new Counter<>(added, updated));
        informers.add(informer);
      }
      long before = heapBytes();
      System.out.println("started");
      informers.forEach(SharedIndexInformer::start);
      added.await();
      System.out.println("synced");
      orders.readLine();
      System.out.println("heap " + (heapBytes() - before));
      updated.await();
      System.out.println("done");
      orders.readLine();
    }
    // Threads of the HTTP client may continue for a while.
    System.exit(0);
  }

  private static ResourceDefinitionContext contextOf(int kind) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("example.com")
        .withVersion("v1")
        .withKind("Kind" + kind)
        .withPlural("kind" + kind + "s")
        .withNamespaced(true)
        .build();
  }

  /** Returns the bytes of live objects. */
  private static long heapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private record Counter<T extends HasMetadata>(CountDownLatch added, CountDownLatch updated)
      implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      added.countDown();
    }

    @Override
    public void onUpdate(T before, T after) {
      updated.countDown();
    }

    @Override
    public void onDelete(T object, boolean isFinalStateUnknown) {}
  }
}
