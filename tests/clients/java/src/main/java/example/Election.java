package example;

import static example.Checks.check;
import static example.Checks.equal;
import static example.Checks.until;
import static example.Samples.NAMESPACE;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Leader election with a Lease. */
record Election(KubernetesClient client) {
  void run() {
    check("one of two candidates leads, and the other one after it", this::elect);
  }

  private LeaderElector candidate(String name, AtomicBoolean leads) {
    return client
        .leaderElector()
        .withConfig(
            new LeaderElectionConfigBuilder()
                .withName("test")
                .withLock(new LeaseLock(NAMESPACE, "leader", name))
                .withLeaseDuration(Duration.ofSeconds(3))
                .withRenewDeadline(Duration.ofSeconds(2))
                .withRetryPeriod(Duration.ofMillis(200))
                .withReleaseOnCancel(true)
                .withLeaderCallbacks(
                    new LeaderCallbacks(() -> leads.set(true), () -> leads.set(false), id -> {}))
                .build())
        .build();
  }

  private void elect() throws Exception {
    var firstLeads = new AtomicBoolean();
    var secondLeads = new AtomicBoolean();
    CompletableFuture<?> first = candidate("one", firstLeads).start();
    until("the first term", firstLeads::get);
    CompletableFuture<?> second = candidate("two", secondLeads).start();
    equal(holder(), "one");
    equal(secondLeads.get(), false);
    first.cancel(true);
    until("the second term", secondLeads::get);
    equal(holder(), "two");
    second.cancel(true);
    until("the end of the second term", () -> !secondLeads.get());
  }

  private String holder() {
    return client.leases().inNamespace(NAMESPACE).withName("leader").get().getSpec()
        .getHolderIdentity();
  }
}
