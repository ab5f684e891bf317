import {
  type Answer,
  collectionOf,
  createNamespace,
  prepare,
  type RecordedObject,
  send,
} from "../client.ts";
import { canonicalMessage, Comparison } from "../compare.ts";
import type { StepResult } from "../replay.mjs";
import { type Scenario, type Target, wholeServer } from "../scenario.ts";

interface RecordedPatch {
  readonly kind: string;
  readonly patch: unknown;
  readonly status: number;
  readonly object?: unknown;
  readonly message?: string;
  readonly reason?: string;
  readonly warnings?: readonly string[];
}

/** A file of strategic patches of one object of each kind. */
export interface StrategicPatches {
  readonly namespace: string;
  readonly bases: Readonly<Record<string, RecordedObject>>;
  readonly cases: readonly RecordedPatch[];
}

const patchType = "application/strategic-merge-patch+json";

export function strategicPatchScenarios(file: StrategicPatches): readonly Scenario[] {
  return file.cases.map((recorded, index) => ({
    name: `${recorded.kind.toLowerCase()}-${index}`,
    category: recorded.kind,
    title: `answer ${recorded.status} to a patch of a ${recorded.kind}`,
    steps: 1,
    server: wholeServer,
    replay: (target) => replayPatch(target, file, recorded),
  }));
}

async function replayPatch(
  { transport }: Target,
  { bases, namespace }: StrategicPatches,
  recorded: RecordedPatch,
): Promise<readonly StepResult[]> {
  const base = bases[recorded.kind];
  if (base === undefined) throw new Error(`The file has no ${recorded.kind} to patch`);
  await createNamespace(transport, namespace);
  const collection = await collectionOf(transport, base, namespace);
  await prepare(transport, "POST", collection, base);
  const url = `${collection}/${base.metadata?.name ?? ""}?dryRun=All`;
  const answer = await send(transport, "PATCH", url, recorded.patch, patchType);
  const diffs = differencesOf(recorded, answer);
  return [{ index: 0, op: "patch", what: `PATCH ${url}`, ok: diffs.length === 0, diffs }];
}

function differencesOf(recorded: RecordedPatch, answer: Answer): readonly string[] {
  const { body, status, warnings } = answer;
  if (status !== recorded.status) {
    return [`status: expected ${recorded.status}, got ${status}: ${JSON.stringify(body)}`];
  }
  const comparison = new Comparison();
  const differences = [...comparison.value(recorded.warnings ?? [], warnings, "warnings")];
  if (recorded.object !== undefined) {
    const actual = withoutAllocated(body, recorded.kind);
    return [...differences, ...comparison.object(recorded.object, actual)];
  }
  const { message, reason } = body as { readonly message?: unknown; readonly reason?: unknown };
  return [
    ...differences,
    ...comparison.value(canonicalMessage(recorded.message), canonicalMessage(message), "message"),
    ...(reason === recorded.reason
      ? []
      : [`reason: expected ${recorded.reason}, got ${String(reason)}`]),
  ];
}

/** Removes the values that a server allocates. */
export function withoutAllocated(value: unknown, kind: string): unknown {
  if (typeof value !== "object" || value === null || !("metadata" in value)) return value;
  const {
    creationTimestamp: _time,
    managedFields: _owners,
    resourceVersion: _version,
    uid: _uid,
    ...metadata
  } = value.metadata as Readonly<Record<string, unknown>>;
  const kept: Readonly<Record<string, unknown>> = { ...value, metadata };
  if (kind !== "Service") return kept;
  const {
    clusterIP: _ip,
    clusterIPs: _ips,
    ...spec
  } = (kept["spec"] ?? {}) as Readonly<Record<string, unknown>>;
  return { ...kept, spec };
}
