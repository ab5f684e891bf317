import { pod, podName, podNamespace } from "../fake-apiserver/pods.ts";

/** Content of a server, and the events that it sends. */
export interface Workload {
  readonly pods: number;
  /** `small`: only two labels, all in one namespace. @default "pod" */
  readonly size?: "pod" | "small";
  readonly events: number;
  /** `modified`: the first 10,000 pods in turn; `hot`: ten pods; `churn`: 40 % adds, 40 % deletes. */
  readonly kind: "modified" | "hot" | "churn";
  /** Whether the list can be streamed. @default false */
  readonly isStreamed?: boolean;
  /** Whether the first list and the events are also prepared in protobuf. @default false */
  readonly hasProtobuf?: boolean;
  /** Bytes per chunk, or one event per chunk. */
  readonly chunk: number | "event";
}

/** ResourceVersion of the first object in the first list; those of the others follow. */
export const firstObjectVersion = 1_000_000;
/** ResourceVersion of the first list. */
export const firstListVersion = 2_000_000;
const firstEventVersion = 3_000_000;

const time = "2026-01-02T03:04:05Z";

/** The field ownership that API servers keep: a fifth of a pod's JSON. */
const managedFields = [
  {
    manager: "kube-controller-manager",
    operation: "Update",
    apiVersion: "v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:metadata": {
        "f:generateName": {},
        "f:labels": { ".": {}, "f:app": {}, "f:pod-template-hash": {}, "f:tier": {} },
        "f:ownerReferences": { ".": {} },
      },
      "f:spec": {
        "f:containers": {
          'k:{"name":"proxy"}': {
            ".": {},
            "f:image": {},
            "f:imagePullPolicy": {},
            "f:resources": {},
            "f:terminationMessagePath": {},
          },
        },
        "f:dnsPolicy": {},
        "f:restartPolicy": {},
        "f:schedulerName": {},
      },
    },
  },
  {
    manager: "kubelet",
    operation: "Update",
    apiVersion: "v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:status": {
        "f:conditions": { 'k:{"type":"Ready"}': { ".": {}, "f:status": {}, "f:type": {} } },
        "f:containerStatuses": {},
        "f:hostIP": {},
        "f:phase": {},
        "f:podIP": {},
        "f:startTime": {},
      },
    },
    subresource: "status",
  },
];

/** A pod with its members in the server's order. */
export function servedPod(
  index: number,
  resourceVersion: string,
): { metadata: object; spec: object; status: object } {
  const { metadata, spec, status } = pod(index) as Record<"metadata" | "spec" | "status", object>;
  const { name, namespace, ...rest } = metadata as Record<string, unknown>;
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  return {
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp: time,
      ...rest,
      managedFields,
    },
    spec,
    status,
  };
}

function small(index: number, resourceVersion: string): object {
  const { namespace, name } = identity(index, "small");
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const labels = { app: `app-${index % 50}`, tier: index % 2 === 0 ? "front" : "back" };
  return { metadata: { name, namespace, uid, resourceVersion, creationTimestamp: time, labels } };
}

function identity(
  index: number,
  size: Workload["size"],
): { readonly namespace: string; readonly name: string } {
  if (size === "small") return { namespace: "one", name: `small-${index}` };
  return { namespace: podNamespace(index), name: podName(index) };
}

export function keyOf(index: number, size: Workload["size"]): string {
  const { namespace, name } = identity(index, size);
  return `${namespace}/${name}`;
}

/** Body of a list, in pieces: a large one exceeds the longest string. */
export function listBody(
  versions: ReadonlyMap<number, number>,
  listVersion: number,
  size: Workload["size"],
): Buffer[] {
  const head = {
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: String(listVersion) },
  };
  const object = size === "small" ? small : servedPod;
  const pieces = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  let items: string[] = [];
  let comma = "";
  const flush = (): void => {
    if (items.length === 0) return;
    pieces.push(Buffer.from(comma + items.join(",")));
    items = [];
    comma = ",";
  };
  for (const [index, version] of versions) {
    items.push(JSON.stringify(object(index, String(version))));
    if (items.length === 1000) flush();
  }
  flush();
  pieces.push(Buffer.from("]}\n"));
  return pieces;
}

/** The first list as a stream, in pieces of 64 KB and its bookmark. */
export function initialEvents(versions: ReadonlyMap<number, number>): Buffer[] {
  const pieces: Buffer[] = [];
  let text = "";
  for (const [index, version] of versions) {
    const object = { kind: "Pod", apiVersion: "v1", ...servedPod(index, String(version)) };
    text += `${JSON.stringify({ type: "ADDED", object })}\n`;
    if (text.length < 65_536) continue;
    pieces.push(Buffer.from(text));
    text = "";
  }
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: String(firstListVersion), annotations };
  const bookmark = { kind: "Pod", apiVersion: "v1", metadata };
  return [
    ...pieces,
    Buffer.from(`${text}${JSON.stringify({ type: "BOOKMARK", object: bookmark })}\n`),
  ];
}

const templates = new Map<number, readonly [string, string]>();

export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** Index of the object. */
  readonly index: number;
  readonly version: number;
}

export function eventLine({ type, index, version }: Change): string {
  let parts = templates.get(index);
  if (parts === undefined) {
    const object = { kind: "Pod", apiVersion: "v1", ...servedPod(index, "@version") };
    const [before = "", after = ""] = JSON.stringify(object).split("@version");
    parts = [before, after];
    templates.set(index, parts);
  }
  return `{"type":"${type}","object":${parts[0]}${version}${parts[1]}}\n`;
}

const pooledPods = 10_000;
const hotPods = 10;

export function changeAt({ pods, kind }: Workload, count: number): Change {
  const pool = Math.min(pods, kind === "hot" ? hotPods : pooledPods);
  const version = versionAt(count);
  if (kind !== "churn") return { type: "MODIFIED", index: count % pool, version };
  // Out of five events two add a pod, two delete it again, and one changes another.
  const fresh = pods + 2 * (Math.floor(count / 5) % 500);
  const turn: readonly (readonly [Change["type"], number])[] = [
    ["ADDED", fresh],
    ["ADDED", fresh + 1],
    ["MODIFIED", count % pool],
    ["DELETED", fresh],
    ["DELETED", fresh + 1],
  ];
  const [type, index] = turn[count % 5] ?? ["MODIFIED", 0];
  return { type, index, version };
}

/** Leaves room for another version between two events. */
const versionStep = 10;

export function versionAt(count: number): number {
  return firstEventVersion + count * versionStep;
}

/** Number of events up to this version. */
export function countAt(version: number): number {
  return Math.max(0, Math.floor((version - firstEventVersion) / versionStep) + 1);
}

/** Lines that are sent together. */
export interface EventChunk {
  /** Index of its first event. */
  readonly first: number;
  readonly bytes: Buffer;
}

export function eventChunks(workload: Workload): EventChunk[] {
  const { events, chunk } = workload;
  const chunks: EventChunk[] = [];
  let text = "";
  let first = 0;
  for (let count = 0; count < events; count++) {
    text += eventLine(changeAt(workload, count));
    if (chunk === "event" || text.length >= chunk || count === events - 1) {
      chunks.push({ first, bytes: Buffer.from(text) });
      text = "";
      first = count + 1;
    }
  }
  return chunks;
}
