// A command that sets the image of a deployment, and waits until users can reach it:
//
//   roll-out NAMESPACE/NAME IMAGE
//
// Errors of the former types: "TS2769: No overload matches this call" for `metadata.name` as a key,
// "TS18048: 'spec.template.spec' is possibly 'undefined'".
import {
  allOf,
  anyOf,
  createClient,
  hasLoadBalancer,
  isDeleted,
  isJobFinished,
  isPodReady,
  isRolledOut,
  labelSelectorOf,
  not,
  StatusError,
  WaitError,
  waitFor,
  type Clock,
  type Connection,
} from "listwatch";
import { deployments } from "listwatch/resources/apps/v1";
import { jobs } from "listwatch/resources/batch/v1";
import { pods, services, type Pod } from "listwatch/resources/core/v1";

export interface Terminal {
  readonly connection: Connection;
  readonly print: (line: string) => void;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** Returns the exit code. */
export async function rollOut(args: readonly string[], terminal: Terminal): Promise<number> {
  const [key = "", image] = args;
  const [namespace, name] = key.split("/");
  if (namespace === undefined || name === undefined || image === undefined) {
    terminal.print("Usage: roll-out NAMESPACE/NAME IMAGE");
    return 2;
  }
  try {
    await change({ namespace, name, image }, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof WaitError || error instanceof StatusError)) throw error;
    terminal.print(error.message);
    return 1;
  }
}

interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
}

async function change({ image, name, namespace }: Target, terminal: Terminal): Promise<void> {
  const { clock, connection, print, signal } = terminal;
  const client = createClient(connection, { clock }).in(namespace);
  const limits = { timeoutMs: 600_000, signal };

  // A job may have to prepare the database.
  const [job] = (await client.resource(jobs).list({ labelSelector: `prepares=${name}`, signal }))
    .items;
  if (job !== undefined) {
    await waitFor(client.resource(jobs), job.metadata.name, isJobFinished, limits);
    print(`job ${job.metadata.name} has ended`);
  }

  const { metadata, spec } = await client.resource(deployments).get(name, { signal });
  const containers = spec.template.spec.containers.map((one) => ({ name: one.name, image }));
  const template = { spec: { containers } };
  const options = { type: "strategic", signal } as const;
  await client.resource(deployments).patch(metadata.name, { spec: { template } }, options);
  await waitFor(client.resource(deployments), metadata.name, isRolledOut, limits);
  print(`deployment ${metadata.namespace}/${metadata.name} is rolled out`);

  const labelSelector = labelSelectorOf(spec.selector);
  const { items } = await client.resource(pods).list({ labelSelector, signal });
  const isNew = allOf(
    isPodReady,
    (pod: Pod | undefined) => pod?.spec.containers[0]?.image === image,
  );
  for (const pod of items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name))) {
    const end = await waitFor(
      client.resource(pods),
      pod.metadata.name,
      anyOf(isNew, isDeleted),
      limits,
    );
    print(`pod ${pod.metadata.name} is ${end === undefined ? "gone" : "ready"}`);
  }

  await waitFor(client.resource(services), name, not(isDeleted), limits);
  const service = await waitFor(client.resource(services), name, hasLoadBalancer, limits);
  const [address] = service?.status.loadBalancer?.ingress ?? [];
  print(`http://${address?.hostname ?? address?.ip}/`);
}
