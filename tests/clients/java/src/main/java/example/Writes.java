package example;

import static example.Checks.check;
import static example.Checks.equal;
import static example.Checks.refused;
import static example.Checks.until;
import static example.Samples.NAMESPACE;
import static example.Samples.configMap;
import static example.Samples.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;

/** Creates, updates, patches, apply and deletes. */
record Writes(KubernetesClient client) {
  void run() {
    check("create, with defaults in the answer", this::create);
    check("update, and a conflict of an old copy", this::update);
    check("edit, which sends a JSON patch", this::edit);
    check("strategic merge patch and merge patch", this::patch);
    check("apply, a conflict, and force", this::apply);
    check("scale", this::scale);
    check("delete an owner: what it owns goes too", this::owners);
    check("evict a pod", this::evict);
    check("errors: not found, already exists, invalid", this::errors);
  }

  private Resource<ConfigMap> map(ConfigMap map) {
    return client.resource(map).inNamespace(NAMESPACE);
  }

  private RollableScalableResource<Deployment> web() {
    return client.apps().deployments().inNamespace(NAMESPACE).withName("web");
  }

  private void create() {
    Deployment created = client.resource(deployment("web")).inNamespace(NAMESPACE).create();
    equal(created.getSpec().getStrategy().getType(), "RollingUpdate");
    equal(created.getSpec().getTemplate().getSpec().getRestartPolicy(), "Always");
  }

  private void update() throws Exception {
    ConfigMap old = map(configMap("settings", Map.of("color", "blue"))).create();
    ConfigMap changed = new ConfigMapBuilder(old).withData(Map.of("color", "red")).build();
    equal(map(changed).update().getData(), Map.of("color", "red"));
    refused(409, () -> map(changed).lockResourceVersion().update());
  }

  private void edit() {
    Resource<ConfigMap> settings =
        client.configMaps().inNamespace(NAMESPACE).withName("settings");
    ConfigMap edited =
        settings.edit(map -> new ConfigMapBuilder(map).addToData("size", "large").build());
    equal(edited.getData(), Map.of("color", "red", "size", "large"));
  }

  private void patch() {
    String containers = "{\"containers\":[{\"name\":\"side\",\"image\":\"side:1\"}]}";
    String strategic = "{\"spec\":{\"template\":{\"spec\":" + containers + "}}}";
    Deployment patched = web().patch(PatchContext.of(PatchType.STRATEGIC_MERGE), strategic);
    List<Container> now = patched.getSpec().getTemplate().getSpec().getContainers();
    equal(now.stream().map(Container::getName).toList(), List.of("side", "main"));
    String merge = "{\"spec\":{\"replicas\":3}}";
    patched = web().patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    equal(patched.getSpec().getReplicas(), 3);
  }

  private void apply() throws Exception {
    ConfigMap blue = configMap("applied", Map.of("color", "blue"));
    ConfigMap red = configMap("applied", Map.of("color", "red"));
    map(blue).fieldManager("one").serverSideApply();
    refused(409, () -> map(red).fieldManager("two").serverSideApply());
    ConfigMap forced = map(red).fieldManager("two").forceConflicts().serverSideApply();
    List<ManagedFieldsEntry> managers = forced.getMetadata().getManagedFields();
    equal(managers.stream().map(ManagedFieldsEntry::getManager).toList(), List.of("two"));
  }

  private void scale() {
    equal(web().scale(5).getSpec().getReplicas(), 5);
  }

  private void owners() throws Exception {
    ConfigMap owner = map(configMap("owner", Map.of())).create();
    ConfigMap owned =
        new ConfigMapBuilder(configMap("owned", Map.of()))
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withName("owner")
            .withUid(owner.getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .build();
    map(owned).create();
    map(owner).withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    until("the end of the dependent", () -> map(owned).get() == null);
  }

  private void evict() throws Exception {
    var pods = client.pods().inNamespace(NAMESPACE);
    pods.resource(
            new PodBuilder()
                .withNewMetadata()
                .withName("victim")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx:1.28")
                .endContainer()
                .endSpec()
                .build())
        .create();
    equal(pods.withName("victim").evict(), true);
    until("the end of the pod", () -> pods.withName("victim").get() == null);
  }

  private void errors() throws Exception {
    equal(client.configMaps().inNamespace(NAMESPACE).withName("missing").get(), null);
    refused(409, () -> map(configMap("settings", Map.of())).create());
    refused(422, () -> map(configMap("Wrong_Name", Map.of())).create());
  }
}
