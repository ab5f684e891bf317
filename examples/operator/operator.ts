// An operator: caches, a leader-elected controller, finalizer, status, events.
import { Controller, createClient, EventRecorder, LeaderElector } from "listwatch";
import { SharedInformerFactory, type Connection } from "listwatch";
import { configmaps } from "listwatch/resources/core/v1";
import { greetings } from "./greeting.ts";
import { reconcileGreeting, type Tools } from "./reconcile.ts";

export interface OperatorOptions {
  readonly connection: Connection;
  /** The namespace of the greetings and of the lease. */
  readonly namespace: string;
  /** The name of the replica. */
  readonly identity: string;
  readonly onLeading: () => void;
}

/** Runs a replica until the signal is aborted. */
export async function runOperator(options: OperatorOptions, signal: AbortSignal): Promise<void> {
  const { connection, identity, namespace } = options;
  const client = createClient(connection, { fieldManager: "greeter" });
  const factory = new SharedInformerFactory({ connection, namespace });
  const greetingInformer = factory.informer(greetings);
  const configMapInformer = factory.informer(configmaps);
  const recorder = new EventRecorder({
    client,
    controller: "example.com/greeter",
    instance: identity,
  });
  const tools: Tools = { configMapInformer, recorder };
  const elector = new LeaderElector({
    client,
    identity,
    lease: { namespace, name: "greeter" },
    // Short times, so that the example does not take long. Omit them in a real operator.
    limits: { leaseDurationMs: 2000, renewDeadlineMs: 1500, retryPeriodMs: 200 },
    onStartedLeading: options.onLeading,
  });
  const controller = new Controller({
    name: "greeter",
    workers: 2,
    client,
    elector,
    informer: greetingInformer,
    reconcile: (_key, context) => reconcileGreeting(context, tools),
  }).owns(configMapInformer, greetings);
  factory.start();
  try {
    await Promise.all([controller.run(signal), elector.run(signal), recorder.run(signal)]);
  } finally {
    await factory[Symbol.asyncDispose]();
  }
}
