package example;

import static example.Checks.check;
import static example.Checks.equal;
import static example.Checks.until;
import static example.Samples.NAMESPACE;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;

/** A definition from YAML, and custom resources with a finalizer. */
record CustomResources(KubernetesClient client) {
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: widgets.example.com
      spec:
        group: example.com
        scope: Namespaced
        names:
          plural: widgets
          singular: widget
          kind: Widget
        versions:
          - name: v1
            served: true
            storage: true
            subresources:
              status: {}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      color: { type: string }
                  status:
                    type: object
                    properties:
                      phase: { type: string }
      """;

  void run() {
    check("apply a definition from YAML", this::define);
    check("custom resources: apply, status", this::write);
    check("a finalizer holds up a deletion", this::finalizer);
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      widgets() {
    var widget =
        new ResourceDefinitionContext.Builder()
            .withGroup("example.com")
            .withVersion("v1")
            .withKind("Widget")
            .withPlural("widgets")
            .withNamespaced(true)
            .build();
    return client.genericKubernetesResources(widget).inNamespace(NAMESPACE);
  }

  private static GenericKubernetesResource widget() {
    var widget = new GenericKubernetesResource();
    widget.setApiVersion("example.com/v1");
    widget.setKind("Widget");
    widget.setMetadata(
        new ObjectMetaBuilder().withName("first").withNamespace(NAMESPACE).build());
    return widget;
  }

  private void define() throws Exception {
    client.resource(DEFINITION).fieldManager("one").serverSideApply();
    var definition =
        client.apiextensions().v1().customResourceDefinitions().withName("widgets.example.com");
    until(
        "the definition",
        () ->
            definition.get().getStatus().getConditions().stream()
                .anyMatch(it -> it.getType().equals("Established")));
  }

  private void write() {
    GenericKubernetesResource widget = widget();
    widget.setAdditionalProperty("spec", Map.of("color", "red"));
    widgets().resource(widget).fieldManager("one").serverSideApply();
    GenericKubernetesResource ready = widget();
    ready.setAdditionalProperty("status", Map.of("phase", "Ready"));
    var stored = widgets().resource(ready).patchStatus();
    equal(stored.get("status", "phase"), "Ready");
    equal(stored.get("spec", "color"), "red");
  }

  private void finalizer() throws Exception {
    var first = widgets().withName("first");
    first.edit(CustomResources::withFinalizer);
    first.delete();
    equal(first.get().isMarkedForDeletion(), true);
    first.edit(CustomResources::withoutFinalizer);
    until("the end", () -> first.get() == null);
  }

  private static GenericKubernetesResource withFinalizer(GenericKubernetesResource widget) {
    widget.getMetadata().setFinalizers(List.of("example.com/widgets"));
    return widget;
  }

  private static GenericKubernetesResource withoutFinalizer(GenericKubernetesResource widget) {
    widget.getMetadata().setFinalizers(List.of());
    return widget;
  }
}
