// An operator: caches, a leader-elected controller, finalizer, status, events.
import { createClient, type Connection } from "@listwatch/client";
import { Controller, EventRecorder, LeaderElector, ownerOf } from "@listwatch/controller";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { reconcileGreeting, type Tools } from "./reconcile.ts";
import { configMaps, greetings, type ConfigMap, type Greeting } from "./greeting.ts";

export interface OperatorOptions {
  readonly connection: Connection;
  /** Tells the replicas apart. */
  readonly identity: string;
  readonly onLeading: () => void;
}

/** Runs a replica until the signal is aborted. */
export async function runOperator(options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const { connection, identity } = options;
  const client = createClient(connection, { fieldManager: "greeter" });
  const factory = new SharedInformerFactory({ connection });
  const greetingInformer = factory.informer<Greeting>(greetings);
  const configMapInformer = factory.informer<ConfigMap>(configMaps);
  const recorder = new EventRecorder({
    client,
    controller: "example.com/greeter",
    instance: identity,
  });
  const tools: Tools = {
    greetings: client.resource<Greeting>(greetings),
    configMaps: client.resource<ConfigMap>(configMaps),
    greetingCache: greetingInformer.store,
    configMapInformer,
    recorder,
  };
  const elector = new LeaderElector({
    client,
    identity,
    lease: { namespace: "default", name: "greeter" },
    // Short times, so that the example does not take long; leave them out in earnest.
    limits: { leaseDurationMs: 1000, renewDeadlineMs: 700, retryPeriodMs: 100 },
    onStartedLeading: options.onLeading,
  });
  const controller = new Controller({
    name: "greeter",
    workers: 2,
    readYourWrites: true,
    elector,
    reconcile: (key, context) => reconcileGreeting(key, context, tools),
  })
    .for(greetingInformer)
    .owns(configMapInformer, ownerOf({ group: "example.com", kind: "Greeting" }));
  factory.start();
  try {
    await Promise.all([controller.run(signal), elector.run(signal), recorder.run(signal)]);
  } finally {
    await factory[Symbol.asyncDispose]();
  }
}
