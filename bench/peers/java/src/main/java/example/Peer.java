package example;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.CountDownLatch;

/** fabric8's informer of pods in all namespaces. */
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
      SharedIndexInformer<Pod> informer = client.pods().inAnyNamespace().runnableInformer(0);
      informer.addEventHandler(new Counter(added, updated));
      long before = heapBytes();
      System.out.println("started");
      informer.start();
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

  /** Returns the bytes of live objects. */
  private static long heapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private record Counter(CountDownLatch added, CountDownLatch updated)
      implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      added.countDown();
    }

    @Override
    public void onUpdate(Pod before, Pod after) {
      updated.countDown();
    }

    @Override
    public void onDelete(Pod pod, boolean isFinalStateUnknown) {}
  }
}
