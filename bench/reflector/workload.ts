import { pod } from "../fake-apiserver/pods.ts";

/** First resourceVersion of the events; the list is older. */
export const firstEventVersion = 3_000_000;
const listVersion = 2_000_000;

const time = "2026-01-02T03:04:05Z";

/** What API servers keep about who wrote which field: a fifth of a pod's text. */
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

/** A pod as a server sends it, with the members in the server's order. */
function served(
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

/** The list of so many pods, in pieces: a large one is longer than the longest string. */
export function listBody(count: number): Buffer[] {
  const head = {
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: String(listVersion) },
  };
  const pieces = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  for (let start = 0; start < count; start += 1000) {
    const items: string[] = [];
    for (let index = start; index < Math.min(start + 1000, count); index++) {
      items.push(JSON.stringify(served(index, String(1_000_000 + index))));
    }
    pieces.push(Buffer.from((start === 0 ? "" : ",") + items.join(",")));
  }
  pieces.push(Buffer.from("]}\n"));
  return pieces;
}

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

const templates = new Map<number, readonly [string, string]>();

/** A line of a watch. */
export function eventLine(type: EventType, index: number, resourceVersion: number): string {
  let parts = templates.get(index);
  if (parts === undefined) {
    const object = { kind: "Pod", apiVersion: "v1", ...served(index, "@version") };
    const [before = "", after = ""] = JSON.stringify(object).split("@version");
    parts = [before, after];
    templates.set(index, parts);
  }
  return `{"type":"${type}","object":${parts[0]}${resourceVersion}${parts[1]}}\n`;
}

/** What a server is to send. */
export interface Workload {
  /** Pods in the list. */
  readonly pods: number;
  readonly events: number;
  /** `modified`: over the first 10,000 pods in turn; `hot`: over ten pods; `churn`: 40 % added, 40 % deleted. */
  readonly kind: "modified" | "hot" | "churn";
  /** Bytes a chunk, or one chunk for each event. */
  readonly chunk: number | "event";
}

const pooledPods = 10_000;
const hotPods = 10;

/** The events of a workload as chunks, and how many events there are. */
export function eventChunks({ pods, events, kind, chunk }: Workload): Buffer[] {
  const chunks: Buffer[] = [];
  let text = "";
  const pool = Math.min(pods, kind === "hot" ? hotPods : pooledPods);
  for (let count = 0; count < events; count++) {
    const [type, index] =
      kind === "churn" ? churn(count, pods, pool) : ["MODIFIED" as const, count % pool];
    text += eventLine(type, index, firstEventVersion + count);
    if (chunk === "event" || text.length >= chunk) {
      chunks.push(Buffer.from(text));
      text = "";
    }
  }
  if (text !== "") chunks.push(Buffer.from(text));
  return chunks;
}

/** Of five events two add a pod, two delete it again, and one changes another. */
function churn(count: number, pods: number, pool: number): readonly [EventType, number] {
  const fresh = pods + 2 * (Math.floor(count / 5) % 500);
  const turn: readonly (readonly [EventType, number])[] = [
    ["ADDED", fresh],
    ["ADDED", fresh + 1],
    ["MODIFIED", count % pool],
    ["DELETED", fresh],
    ["DELETED", fresh + 1],
  ];
  return turn[count % 5] ?? ["MODIFIED", 0];
}
