// The pipeline of the picture: a fake API server with its pods, an informer of them and three
// handlers. The page receives the state several times a second, as fast as it draws.
import { httpListerWatcher, namespaceIndex, SharedInformer } from "listwatch";
import { pods } from "listwatch/resources/core/v1";
import { ChangeFlow, type Move } from "./change-flow.ts";
import { PictureFaults, type Fault, type Note } from "./picture-faults.ts";
import { PictureHandler } from "./picture-handler.ts";
import { namespace, placeCount, placeLabel, SimulatedCluster } from "./simulated-cluster.ts";

/** The pods of the server or the cache. */
export interface PodsOnSide {
  readonly count: number;
  readonly many: number;
  readonly version: string;
  /** Phase of the pod at each place, by its first letter; `-` without a pod. */
  readonly phases: string;
}

/** State of the pipeline. */
export interface PipelineState {
  readonly kind: "state";
  readonly server: PodsOnSide;
  readonly cache: PodsOnSide;
  readonly connection: string;
  readonly isConnected: boolean;
  /** The longest queue since the last state. */
  readonly queued: number;
  readonly handlers: readonly { readonly waiting: number; readonly handled: number }[];
  readonly moves: readonly Move[];
  /** Changes for which one dot stands. */
  readonly drawnOf: number;
}

/** Message from the worker to the page. */
export type PictureMessage = PipelineState | ({ readonly kind: "note" } & Note);

/** Message from the page to the worker; `shown` after the page has drawn a state. */
export type PictureOrder = Fault | "pause" | "resume" | "shown";

const stateMs = 60;
const flow = new ChangeFlow();
const cluster = new SimulatedCluster((kind, pod, writes) => {
  flow.written(kind, pod, writes);
});
const { connection } = cluster;
let queuePeak = 0;

const informer = new SharedInformer({
  listerWatcher: httpListerWatcher({ connection, resource: pods }),
  indexers: namespaceIndex,
  // Called before each object enters the queue, which is the moment at which the queue is longest.
  cache: {
    transform: (pod) => {
      flow.queued(pod);
      queuePeak = Math.max(queuePeak, informer.status().queuedDeltas + 1);
      faults.queuePeak = Math.max(faults.queuePeak, queuePeak);
      return pod;
    },
  },
  onError: (error) => faults.failed(error),
});
const handlers = ["dashboard", "metrics", "audit"].map(
  (name) => new PictureHandler(name, informer),
);
// A relist would otherwise count the objects that did not change.
informer.addListener(flow, { changesOnly: true });
const faults = new PictureFaults({
  ...{ cluster, flow, handlers, informer },
  listerWatcher: httpListerWatcher({ connection, resource: { ...pods } }),
  onNote: (note) => send({ kind: "note", ...note }),
});

function send(message: PictureMessage): void {
  postMessage(message);
}

function describeConnection(): string {
  const { problem, source } = informer.status();
  if (problem?.reason === "expired") return "410 Gone";
  if (problem !== undefined) return "broken";
  return source?.phase === "watching" ? "watch" : "list";
}

function cachedPhases(): string {
  const phases = Array.from({ length: placeCount }, () => "-");
  for (const { metadata, status } of informer.store.byIndex("namespace", namespace)) {
    phases[Number(metadata?.labels?.[placeLabel])] = letterOf(status?.phase ?? "Pending");
  }
  return phases.join("");
}

function serverPhases(): string {
  return Array.from({ length: placeCount }, (_, place) => letterOf(cluster.phaseAt(place))).join(
    "",
  );
}

function letterOf(phase: string | undefined): string {
  return phase?.[0] ?? "-";
}

/** Whether the page has drawn the last state. A slow page would get more than it can draw. */
let isShown = true;

function sendState(): void {
  if (!isShown) return;
  isShown = false;
  const { problem, source } = informer.status();
  const { size } = informer.store;
  send({
    kind: "state",
    server: {
      count: cluster.count,
      many: cluster.many,
      version: String(cluster.server.control.revision),
      phases: serverPhases(),
    },
    cache: {
      count: size,
      many: size - informer.store.byIndex("namespace", namespace).length,
      version: informer.lastStoreSyncResourceVersion,
      phases: cachedPhases(),
    },
    connection: describeConnection(),
    isConnected: problem === undefined && source?.phase === "watching",
    queued: queuePeak,
    handlers: handlers.map(({ handled, waiting }) => ({ handled, waiting })),
    moves: flow.takeMoves(),
    drawnOf: flow.drawnOf,
  });
  queuePeak = 0;
}

let timer: ReturnType<typeof setInterval> | undefined;

function resume(): void {
  timer ??= setInterval(sendState, stateMs);
  cluster.start();
}

function pause(): void {
  clearInterval(timer);
  timer = undefined;
  cluster.stop();
}

async function start(): Promise<void> {
  await cluster.setUp();
  const startMs = performance.now();
  void informer.run();
  await informer.synced;
  const took = ((performance.now() - startMs) / 1000).toFixed(2);
  resume();
  await faults.prove(`listed and watching after ${took} s`);
}

const started = start();
started.catch((error: unknown) => send({ kind: "note", tone: "failure", text: String(error) }));
addEventListener("message", ({ data }: MessageEvent<PictureOrder>) => {
  if (data === "shown") {
    isShown = true;
    return;
  }
  void started.then(() => {
    if (data === "pause") return pause();
    if (data === "resume") return resume();
    return faults.run(data);
  });
});
