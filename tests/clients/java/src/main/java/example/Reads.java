package example;

import static example.Checks.check;
import static example.Checks.equal;
import static example.Checks.until;
import static example.Samples.NAMESPACE;
import static example.Samples.configMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Paged lists, watches and informers. Watches use the default, WebSocket first. */
record Reads(KubernetesClient client) {
  void run() {
    check("list in pages, by labels", this::pages);
    check("watch", this::watch);
    check("an informer follows what is written", this::informer);
  }

  private NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps() {
    return client.configMaps().inNamespace(NAMESPACE);
  }

  private void pages() {
    List<String> names = List.of("page-0", "page-1", "page-2", "page-3", "page-4");
    for (String name : names) {
      ConfigMap map = configMap(name, Map.of());
      map.getMetadata().setLabels(Map.of("set", "paged"));
      maps().resource(map).create();
    }
    List<String> seen = new ArrayList<>();
    String token = null;
    do {
      var options = new ListOptionsBuilder().withLimit(2L).withContinue(token).build();
      ConfigMapList page = maps().withLabel("set", "paged").list(options);
      page.getItems().forEach(map -> seen.add(map.getMetadata().getName()));
      token = page.getMetadata().getContinue();
    } while (token != null && !token.isEmpty());
    equal(seen, names);
  }

  private void watch() throws Exception {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap map) {
            events.add(action + " " + map.getMetadata().getName());
          }

          @Override
          public void onClose(WatcherException cause) {
            events.add("closed by " + cause);
          }
        };
    try (Watch watch = maps().withName("seen").watch(watcher)) {
      ConfigMap created = maps().resource(configMap("seen", Map.of())).create();
      created.setData(Map.of("size", "large"));
      maps().resource(created).update();
      maps().withName("seen").delete();
      until("three events", () -> events.size() >= 3);
    }
    equal(events.subList(0, 3), List.of("ADDED seen", "MODIFIED seen", "DELETED seen"));
  }

  private void informer() throws Exception {
    try (SharedIndexInformer<ConfigMap> informer = maps().inform()) {
      maps().resource(configMap("followed", Map.of("size", "1"))).create();
      until("the object", () -> "1".equals(size(informer)));
      maps()
          .withName("followed")
          .edit(map -> new ConfigMapBuilder(map).withData(Map.of("size", "2")).build());
      until("the change", () -> "2".equals(size(informer)));
      maps().withName("followed").delete();
      until("the end", () -> size(informer) == null);
    }
  }

  private static String size(SharedIndexInformer<ConfigMap> informer) {
    ConfigMap map = informer.getIndexer().getByKey(NAMESPACE + "/followed");
    return map == null ? null : map.getData().get("size");
  }
}
