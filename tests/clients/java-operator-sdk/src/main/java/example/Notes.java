package example;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.Map;

/** Keeps a ConfigMap beside each Deployment. */
@ControllerConfiguration(name = "notes")
public final class Notes implements Reconciler<Deployment> {
  @Override
  public UpdateControl<Deployment> reconcile(Deployment deployment, Context<Deployment> context) {
    var metadata = deployment.getMetadata();
    var note =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(metadata.getName() + "-note")
            .withNamespace(metadata.getNamespace())
            .endMetadata()
            .withData(Map.of("replicas", String.valueOf(deployment.getSpec().getReplicas())))
            .build();
    note.addOwnerReference(deployment);
    context.getClient().resource(note).serverSideApply();
    return UpdateControl.noUpdate();
  }
}
