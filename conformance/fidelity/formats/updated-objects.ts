import { collectionOf, createNamespace, prepare, type RecordedObject, send } from "../client.ts";
import { Comparison } from "../compare.ts";
import type { StepResult } from "../replay.mjs";
import { type Scenario, type Target, wholeServer } from "../scenario.ts";

interface RecordedUpdate {
  readonly patch: unknown;
  readonly subresource?: string;
  readonly status: number;
  /** Whether the resourceVersion changed; absent for refusals. */
  readonly changed?: boolean;
  readonly output?: { readonly metadata?: { readonly namespace?: string } };
  readonly body?: unknown;
}

interface UpdatedObject {
  readonly kind: string;
  readonly input: RecordedObject;
  readonly steps: readonly RecordedUpdate[];
}

/** A file of objects, each with a sequence of strategic merge patches. */
export interface UpdatedObjects {
  readonly objects: readonly UpdatedObject[];
}

const patchType = "application/strategic-merge-patch+json";

export function updatedObjectScenarios(file: UpdatedObjects): readonly Scenario[] {
  return file.objects.map((object, index) => ({
    name: `${object.kind.toLowerCase()}-${index}`,
    category: object.kind,
    title: `update a ${object.kind}`,
    steps: object.steps.length,
    server: wholeServer,
    replay: (target) => replayUpdates(target, object),
  }));
}

async function replayUpdates(
  { transport }: Target,
  { input, steps }: UpdatedObject,
): Promise<readonly StepResult[]> {
  const namespace = namespaceOf(steps);
  await createNamespace(transport, namespace);
  const collection = await collectionOf(transport, input, namespace);
  await prepare(transport, "POST", collection, input);
  const object = `${collection}/${input.metadata?.name ?? ""}`;
  let version = versionOf((await send(transport, "GET", object)).body);
  const comparison = new Comparison();
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    const url = step.subresource === undefined ? object : `${object}/${step.subresource}`;
    const answer = await send(transport, "PATCH", url, step.patch, patchType);
    const diffs = [...differencesOf(comparison, step, answer)];
    const next = answer.status === 200 ? versionOf(answer.body) : version;
    if (diffs.length === 0 && step.changed !== undefined && step.changed !== (next !== version)) {
      diffs.push(`expected the resourceVersion to ${step.changed ? "change" : "stay"}`);
    }
    version = next;
    results.push({ index, op: "patch", what: `PATCH ${url}`, ok: diffs.length === 0, diffs });
  }
  return results;
}

function differencesOf(
  comparison: Comparison,
  step: RecordedUpdate,
  { body, status }: { readonly body: unknown; readonly status: number },
): readonly string[] {
  if (status !== step.status) {
    return [`status: expected ${step.status}, got ${status}: ${JSON.stringify(body)}`];
  }
  comparison.forgetVersions();
  return step.output === undefined
    ? comparison.refusal(step.body, body)
    : comparison.object(step.output, body);
}

// The file does not contain the namespace of the recording; its objects do.
function namespaceOf(steps: readonly RecordedUpdate[]): string {
  const namespaces = steps.map(({ output }) => output?.metadata?.namespace);
  return namespaces.find((namespace) => namespace !== undefined) ?? "obs-a-w";
}

function versionOf(object: unknown): unknown {
  return (object as { metadata?: { resourceVersion?: unknown } }).metadata?.resourceVersion;
}
