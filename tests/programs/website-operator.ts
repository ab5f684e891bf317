// An operator for websites, a kind whose types `listwatch generate` wrote from `websites.crd.yaml`:
// a deployment for each website, a name in an external DNS, conditions, events and one leader.
//
// Errors of the former types: "TS2322: Type 'string | undefined' is not assignable to type 'string'"
// for the name, "TS2353: … 'signal' does not exist in type 'FinalizerActions<void>'".
import {
  Controller,
  controllerReference,
  createClient,
  EventRecorder,
  isConditionTrue,
  isRolledOut,
  LeaderElector,
  ownerOf,
  setCondition,
  SharedInformerFactory,
  withFinalizer,
  writeStatus,
  type NamedConfiguration,
  type Cached,
  type Clock,
  type Connection,
  type Log,
} from "listwatch";
import { deployments, type Deployment } from "listwatch/resources/apps/v1";
import { websites, type Website } from "./websites.generated.ts";

export interface OperatorOptions {
  readonly connection: Connection;
  /** The name of this replica. */
  readonly identity: string;
  /** Names outside the cluster, which a finalizer removes. */
  readonly dns: Map<string, string>;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onLeading?: () => void;
}

const finalizer = "example.com/dns";

/** Runs a replica until the signal is aborted. */
export async function runOperator(options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const { clock, connection, dns, identity, log } = options;
  const client = createClient(connection, { clock, fieldManager: "website-operator" });
  const factory = new SharedInformerFactory({ connection, clock, log });
  const websiteInformer = factory.informer(websites);
  const deploymentInformer = factory.informer(deployments);
  const recorder = new EventRecorder({
    client,
    controller: "example.com/website-operator",
    instance: identity,
    log,
  });
  const elector = new LeaderElector({
    client,
    identity,
    lease: { namespace: "default", name: "website-operator" },
    telemetry: { log },
    onStartedLeading: options.onLeading,
  });

  const reconcile = async (website: Cached<Website>, stop: AbortSignal): Promise<void> => {
    const { host } = website.spec;
    await withFinalizer(client.resource(websites), website, {
      finalizer,
      signal: stop,
      apply: async () => {
        dns.set(host, website.metadata.uid);
        const deployment = await client
          .resource(deployments)
          .apply(deploymentOf(website), { force: true, signal: stop });
        const wasReady = isConditionTrue(website, "Ready");
        const isReady = isRolledOut(deployment);
        await writeStatus(
          client.resource(websites),
          website,
          ({ metadata: { generation }, status }) => ({
            observedGeneration: generation,
            readyReplicas: deployment.status.readyReplicas ?? 0,
            conditions: setCondition(
              status?.conditions,
              {
                type: "Ready",
                status: isReady ? "True" : "False",
                reason: isReady ? "RolledOut" : "RollingOut",
                message: `${deployment.metadata.name} runs ${website.spec.image}`,
                observedGeneration: generation,
              },
              { clock },
            ),
          }),
          { signal: stop },
        );
        if (isReady && !wasReady) {
          recorder.event({ regarding: website, reason: "RolledOut", action: "Deploy" });
        }
      },
      cleanup: async () => {
        dns.delete(host);
      },
    });
  };

  const controller = new Controller({
    name: "websites",
    informer: websiteInformer,
    elector,
    clock,
    telemetry: { log },
    reconcile: async (_key, { object, signal: stop }) => {
      if (object !== undefined) await reconcile(object, stop);
    },
  }).owns(deploymentInformer, ownerOf(websites));
  factory.start();
  try {
    await Promise.all([controller.run(signal), elector.run(signal), recorder.run(signal)]);
  } finally {
    await factory[Symbol.asyncDispose]();
  }
}

function deploymentOf(website: Cached<Website>): NamedConfiguration<Deployment> {
  const { name, namespace } = website.metadata;
  const labels = { website: name };
  return {
    metadata: { name, namespace, ownerReferences: [controllerReference(website, websites)] },
    spec: {
      replicas: website.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: website.spec.image }] },
      },
    },
  };
}
