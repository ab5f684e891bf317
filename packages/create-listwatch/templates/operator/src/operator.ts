// The operator. For each Greeting it keeps a config map of the same name, with the message.
import { controllerReference, setCondition, writeStatus, type Manager } from "listwatch";
import { configmaps } from "listwatch/resources/core/v1";
import { routeWebhooks, validating, webhookConfigurations } from "listwatch/webhooks";
import { rotatedCertificates } from "listwatch/webhooks/certificates";
import { greetings } from "./greetings.generated.ts";

export const program = "greeter";

/** Time after which a name that is taken is looked at again. */
const takenMs = 30_000;

/** Adds the controller to a manager: that of `main.ts`, or that of a test. */
export function addController(manager: Manager): Manager {
  const { clock, recorder } = manager;
  const configMaps = manager.informers.informer(configmaps);

  const controller = manager.controller({
    for: greetings,
    // Called with the key of an object after each change of it or its config map, and again after
    // an error. However often it runs, the result is the same.
    reconcile: async (key, { client, object, signal }) => {
      // The config map of a deleted object is deleted with it, because it names its owner.
      if (object === undefined) return undefined;
      const { generation, name, namespace, uid } = object.metadata;
      const { message } = object.spec;

      const existing = configMaps.store.getByKey(key);
      const owners = existing?.metadata.ownerReferences ?? [];
      const isTaken = existing !== undefined && owners.every((owner) => owner.uid !== uid);
      if (!isTaken && existing?.data?.["message"] !== message) {
        const ownerReferences = [controllerReference(object, greetings)];
        const configMap = { metadata: { namespace, name, ownerReferences }, data: { message } };
        // By force: the message is the operator's, also after an edit by hand.
        await client.resource(configmaps).apply(configMap, { force: true, signal });
        recorder.event({ regarding: object, reason: "Applied", action: "Apply" });
      }

      const ready = isTaken
        ? ({ status: "False", reason: "NameTaken", message: "A config map has the name" } as const)
        : ({
            status: "True",
            reason: "Applied",
            message: "The config map has the message",
          } as const);
      await writeStatus(
        client.resource(greetings),
        object,
        ({ status }) => ({
          observedGeneration: generation,
          conditions: setCondition(status?.conditions, { type: "Ready", ...ready }, { clock }),
        }),
        { signal },
      );
      return isTaken ? { requeueAfterMs: takenMs } : undefined;
    },
  });
  controller.owns(configMaps);
  return manager;
}

/** The webhooks: what a schema cannot say. */
export const webhooks = routeWebhooks([
  validating(
    greetings,
    (review) => {
      const isBlank = review.object.spec.message.trim() === "";
      if (isBlank) review.deny("spec.message: expected a text, got spaces only");
    },
    { failurePolicy: "Fail", timeoutSeconds: 5 },
  ),
]);

/**
 * The certificate of the webhooks. The operator makes and renews it, keeps it in a Secret, and
 * writes its authority into the `caBundle` of the webhook configuration.
 */
export function webhookCertificates(manager: Manager, namespace: string) {
  return rotatedCertificates(manager.client, {
    namespace,
    name: `${program}-webhooks`,
    configurations: configurationsIn(namespace),
    isLeader: () => manager.isLeader,
    clock: manager.clock,
    log: manager.log,
  });
}

/** The webhook configuration, for the service of the operator in a namespace. */
export function configurationsIn(namespace: string) {
  const service = { namespace, name: program };
  return webhookConfigurations(webhooks.handlers, { name: program, service });
}
