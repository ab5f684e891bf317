import { type Answer, createNamespace, prepare, send } from "../client.ts";
import { canonicalMessage, Comparison } from "../compare.ts";
import type { StepResult, Transport } from "../replay.mjs";
import { type Scenario, type Target, wholeServer } from "../scenario.ts";
import { withoutAllocated } from "./strategic-patches.ts";

interface RecordedWrite {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: unknown;
  readonly status: number;
  readonly changed?: boolean;
  readonly object?: unknown;
  readonly managedFields?: readonly unknown[];
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
}

interface Sequence {
  readonly name: string;
  readonly kind: string;
  readonly steps: readonly RecordedWrite[];
}

/** A file of writes, with the field ownership after each one. */
export interface ApplySequences {
  readonly namespace: string;
  readonly crds: readonly unknown[];
  readonly sequences: readonly Sequence[];
}

const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export function applySequenceScenarios(file: ApplySequences): readonly Scenario[] {
  return file.sequences.map((sequence) => ({
    name: sequence.name,
    category: sequence.kind,
    title: `apply, update and patch a ${sequence.kind}`,
    steps: sequence.steps.length,
    server: wholeServer,
    replay: (target) => replaySequence(target, file, sequence),
  }));
}

async function replaySequence(
  { transport }: Target,
  { crds, namespace }: ApplySequences,
  { kind, steps }: Sequence,
): Promise<readonly StepResult[]> {
  await createNamespace(transport, namespace);
  for (const crd of crds) await prepare(transport, "POST", crdsPath, crd);
  const results: StepResult[] = [];
  let version = "";
  for (const [index, step] of steps.entries()) {
    const answer = await sendWrite(transport, step, version);
    const diffs = [...differencesOf(step, kind, answer)];
    const next = answer.status < 300 ? versionOf(answer.body) : version;
    if (diffs.length === 0 && step.changed !== undefined && step.changed !== (next !== version)) {
      diffs.push(`expected the resourceVersion to ${step.changed ? "change" : "stay"}`);
    }
    version = next;
    const what = `${step.method} ${step.path} ${step.contentType}`;
    results.push({ index, op: "request", what, ok: diffs.length === 0, diffs });
  }
  return results;
}

function sendWrite(transport: Transport, step: RecordedWrite, version: string): Promise<Answer> {
  const query = new URLSearchParams(step.query).toString();
  const url = query === "" ? step.path : `${step.path}?${query}`;
  const body: unknown = JSON.parse(JSON.stringify(step.body).replaceAll("${rv}", version));
  return send(transport, step.method, url, body, step.contentType);
}

function differencesOf(step: RecordedWrite, kind: string, answer: Answer): readonly string[] {
  const { body, status, warnings } = answer;
  if (status !== step.status) {
    return [`status: expected ${step.status}, got ${status}: ${JSON.stringify(body)}`];
  }
  const comparison = new Comparison();
  const differences = [...comparison.value(step.warnings ?? [], warnings, "warnings")];
  if (step.object !== undefined) {
    const owners = { $unordered: step.managedFields ?? [] };
    differences.push(...comparison.object(step.object, withoutAllocated(body, kind)));
    differences.push(...comparison.value(owners, ownersOf(body), "managedFields"));
    return differences;
  }
  const { details, message } = body as {
    readonly message?: unknown;
    readonly details?: { readonly causes?: unknown };
  };
  const causes = step.causes === undefined ? undefined : { $unordered: step.causes };
  return [
    ...differences,
    ...comparison.value(canonicalMessage(step.message), canonicalMessage(message), "message"),
    ...(causes === undefined ? [] : comparison.value(causes, details?.causes ?? [], "causes")),
  ];
}

// Only the presence of times is compared.
function ownersOf(object: unknown): readonly unknown[] {
  const { metadata = {} } = object as { metadata?: { managedFields?: readonly object[] } };
  return (metadata.managedFields ?? []).map((entry) =>
    "time" in entry ? Object.assign(entry, { time: true }) : entry,
  );
}

function versionOf(object: unknown): string {
  const { metadata = {} } = object as { metadata?: { resourceVersion?: string } };
  return metadata.resourceVersion ?? "";
}
