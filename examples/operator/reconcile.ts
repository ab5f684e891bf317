// The work of the operator: one config map for each person of a greeting, none for others.
import { controllerReference, ownerReferences, withFinalizer, writeStatus } from "listwatch";
import type { Cached, Draft, EventRecorder, ReconcileContext, SharedInformer } from "listwatch";
import { configmaps, type ConfigMap } from "listwatch/resources/core/v1";
import { greetings, greetingType, type Greeting } from "./greeting.ts";

export interface Tools {
  readonly configMapInformer: Pick<SharedInformer<ConfigMap>, "lister">;
  readonly recorder: EventRecorder;
}

const finalizer = "example.com/greeter";

export async function reconcileGreeting(
  context: Pick<ReconcileContext<Greeting>, "client" | "object" | "signal">,
  tools: Tools,
): Promise<void> {
  const { client, object: greeting, signal } = context;
  if (greeting === undefined) return;
  const ofGreetings = client.resource(greetings);
  const ofConfigMaps = client.resource(configmaps);
  const present = owned(tools, greeting);
  const remove = async ({ metadata }: Cached<ConfigMap>): Promise<void> => {
    await ofConfigMaps.delete(`${metadata.namespace}/${metadata.name}`, { signal });
  };

  await withFinalizer(ofGreetings, greeting, {
    finalizer,
    signal,
    apply: async () => {
      const wanted = wantedConfigMaps(greeting);
      const names = new Set(wanted.map(({ metadata }) => metadata.name));
      const existing = new Set<string | undefined>(present.map(({ metadata }) => metadata.name));
      for (const configMap of wanted.filter(({ metadata }) => !existing.has(metadata.name))) {
        await ofConfigMaps.create(configMap, { signal });
        note(tools, greeting, "Greeted", "CreateConfigMap");
      }
      for (const configMap of present) {
        if (!names.has(configMap.metadata.name)) await remove(configMap);
      }
      const { generation: observedGeneration = 0 } = greeting.metadata;
      const status = { greeted: wanted.length, observedGeneration };
      await writeStatus(ofGreetings, greeting, () => status, { signal });
    },
    cleanup: async () => {
      for (const configMap of present) await remove(configMap);
      note(tools, greeting, "CleanedUp", "DeleteConfigMaps");
    },
  });
}

function wantedConfigMaps(greeting: Cached<Greeting>): Draft<ConfigMap>[] {
  const { namespace, name } = greeting.metadata;
  return greeting.spec.people.map((person) => ({
    metadata: {
      namespace,
      name: `${name}-${person}`,
      ownerReferences: [controllerReference(greeting, greetingType)],
    },
    data: { message: `Hello, ${person}!` },
  }));
}

function owned(tools: Tools, greeting: Cached<Greeting>): Cached<ConfigMap>[] {
  const { namespace, uid } = greeting.metadata;
  return tools.configMapInformer.lister
    .namespace(namespace)
    .list()
    .filter((configMap) => ownerReferences(configMap).some((owner) => owner.uid === uid));
}

function note(tools: Tools, greeting: Cached<Greeting>, reason: string, action: string): void {
  tools.recorder.event({ regarding: { ...greetingType, ...greeting }, reason, action });
}
