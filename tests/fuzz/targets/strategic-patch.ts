import * as fc from "fast-check";
import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { mergeModel, type FieldRules } from "../strategic-model.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const deployments = "http://localhost/apis/apps/v1/namespaces/default/deployments";

const container: FieldRules = {
  env: { mergeKey: "name" },
  ports: { mergeKey: "containerPort" },
  volumeMounts: { mergeKey: "mountPath" },
};
const podSpec: FieldRules = {
  containers: { mergeKey: "name", fields: container },
  initContainers: { mergeKey: "name", fields: container },
  imagePullSecrets: { mergeKey: "name" },
  volumes: { mergeKey: "name" },
};
/** Rules of the fields in the inputs. */
const deployment: FieldRules = {
  metadata: { fields: { finalizers: { mergeKey: "" } } },
  spec: { fields: { template: { fields: { spec: { fields: podSpec } } } } },
};

const name = fc.constantFrom("a", "b", "c", "d");
const text = fc.constantFrom("", "x", "y");
const env = fc.record({ name, value: text }, { requiredKeys: ["name"] });
const port = fc.record(
  { containerPort: fc.constantFrom(80, 81, 82), name },
  { requiredKeys: ["containerPort"] },
);
const volume = fc.oneof(
  fc.record({ name, emptyDir: fc.constant({}) }),
  fc.record({ name, configMap: name.map((one) => ({ name: one })) }),
);
const finalizer = name.map((one) => `example.com/${one}`);
const named = fc.uniqueArray(fc.record({ name }), { maxLength: 3, selector: (one) => one.name });

const liveContainer = fc.record(
  {
    name,
    image: text,
    args: fc.array(text, { maxLength: 2 }),
    env: fc.uniqueArray(env, { maxLength: 3, selector: (one) => one.name }),
    ports: fc.uniqueArray(port, { maxLength: 3, selector: (one) => one.containerPort }),
  },
  { requiredKeys: ["name"] },
);
const live = fc.record({
  finalizers: fc.uniqueArray(finalizer, { maxLength: 3 }),
  containers: fc.uniqueArray(liveContainer, {
    minLength: 1,
    maxLength: 3,
    selector: (one) => one.name,
  }),
  imagePullSecrets: named,
  volumes: fc.uniqueArray(volume, { maxLength: 3, selector: (one) => one.name }),
  nodeSelector: fc.dictionary(name, text, { maxKeys: 3 }),
});

/** Some of the members, with null for a removed one. */
function some(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const optional = Object.entries(members).map(
    ([key, value]) => [key, fc.option(value, { freq: 6 })] as const,
  );
  return fc.record(Object.fromEntries(optional), { requiredKeys: [] });
}

const directives = fc.constantFrom("delete", "delete", "delete", "replace", "merge", "explode");

/**
 * A merged list with directives or an order, but not both: the order that results from both depends
 * on the deletions that a server remembers.
 */
function merged(
  field: string,
  item: fc.Arbitrary<unknown>,
  keyOf: (one: unknown) => unknown,
  isUnique = false,
): fc.Arbitrary<object> {
  // A new item keeps its directives, and a second one would be merged into them.
  const list = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
    isUnique
      ? fc.uniqueArray(one, { maxLength: 4, selector: (each) => JSON.stringify(keyOf(each)) })
      : fc.array(one, { maxLength: 4 });
  const plain = list(item);
  const directed = fc
    .tuple(item, fc.option(directives, { freq: 2 }))
    .map(([one, $patch]) => ($patch === null ? one : Object.assign({}, one, { $patch })));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: plain.map((items) => ({ [field]: items })) },
    {
      weight: 3,
      arbitrary: list(directed).map((items) => ({ [field]: items })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(plain.map(withoutDirectives), fc.array(item, { maxLength: 3 }), fc.boolean())
        .map(([items, others, isInOrder]) => ({
          [field]: items,
          [`$setElementOrder/${field}`]: (isInOrder ? [...items, ...others] : others).map(keyOf),
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(item, { maxLength: 3 })
        .map((items) => ({ [`$setElementOrder/${field}`]: items.map(keyOf) })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ [field]: null }, { [field]: [] }, { [field]: [null] }),
    },
  );
}

function withoutDirectives(items: readonly unknown[]): readonly unknown[] {
  return items.map((item) => {
    if (!isRecord(item)) return item;
    const { $patch: _, ...members } = item;
    return members;
  });
}

const byName = (one: unknown): object => ({ name: recordOf(one)["name"] });
const itself = (one: unknown): unknown => one;

/** A patch that sometimes has a directive for the object itself. */
function patchOf(...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> {
  const own = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom({ $patch: "replace" }, { $patch: "delete" }) },
    {
      weight: 1,
      arbitrary: fc
        .subarray(["name", "image", "env", "emptyDir", "configMap", "containers", "volumes"])
        .map(($retainKeys) => ({ $retainKeys })),
    },
    { weight: 1, arbitrary: fc.constant({ $retainKeys: "name" }) },
  );
  return fc.tuple(own, ...parts).map((all) => Object.assign({}, ...all) as object);
}

const containerPatch = patchOf(
  name.map((one) => ({ name: one })),
  some({ image: text, args: fc.array(text, { maxLength: 2 }) }),
  merged("env", env, byName),
  merged("ports", port, (one) => ({ containerPort: recordOf(one)["containerPort"] })),
);
const volumePatch = patchOf(
  name.map((one) => ({ name: one })),
  some({ emptyDir: fc.constant({}), configMap: fc.record({ name }) }),
);
const podPatch = patchOf(
  merged("containers", containerPatch, byName, true),
  merged("volumes", volumePatch, byName, true),
  merged("imagePullSecrets", fc.record({ name }), byName),
  some({
    nodeSelector: fc.dictionary(name, fc.option(text, { freq: 3 }), { maxKeys: 3 }),
    tolerations: fc.array(fc.record({ key: name }), { maxLength: 2 }),
  }),
);
const finalizersPatch = fc.oneof(
  merged("finalizers", finalizer, itself),
  fc
    .tuple(fc.array(finalizer, { maxLength: 3 }), fc.array(finalizer, { maxLength: 3 }))
    .map(([added, deleted]) => ({
      finalizers: added,
      "$deleteFromPrimitiveList/finalizers": deleted,
    })),
);

const inputs = fc.record({ live, metadata: finalizersPatch, pod: podPatch });
type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

// The result of a merge is compared even if the object is invalid.
const api = new FakeApiServer({ validation: "off" });

async function send(
  method: string,
  url: string,
  body?: unknown,
): Promise<readonly [number, unknown]> {
  const type = method === "PATCH" ? "strategic-merge-patch+json" : "json";
  const response = await api.fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { "content-type": `application/${type}` },
  });
  return [response.status, await response.json()];
}

/** Returns the patched part; the reason of a refusal is ignored. */
function outcome([status, value]: readonly [number, unknown]): unknown {
  if (status >= 300) return "refused";
  const { metadata, spec } = recordOf(value);
  return { finalizers: recordOf(metadata)["finalizers"], spec };
}

async function check({
  live: { finalizers, ...pod },
  metadata,
  pod: podChange,
}: Input): Promise<void> {
  const selector = { matchLabels: { app: "a" } };
  const template = { metadata: { labels: { app: "a" } }, spec: pod };
  const meta = { name: "a", finalizers };
  const whole = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: meta,
    spec: { selector, template },
  };
  const [status, created] = await send("POST", deployments, whole);
  if (status !== 201 || !isRecord(created)) throw new Error(JSON.stringify(created));
  try {
    const patch = { metadata, spec: { template: { spec: podChange } } };
    const actual = await send("PATCH", `${deployments}/a?dryRun=All`, patch);
    checkSame(outcome(actual), await expected(created, patch), "the patched object");
    checkSame((await send("GET", `${deployments}/a`))[1], created, "the object behind a dry run");
  } finally {
    await remove();
  }
}

/** Returns the result of a PUT of the merged object, with the same defaults and validation. */
async function expected(
  created: Readonly<Record<string, unknown>>,
  patch: object,
): Promise<unknown> {
  let whole: object;
  try {
    whole = mergeModel(created, { ...patch }, deployment);
  } catch {
    return "refused";
  }
  return outcome(await send("PUT", `${deployments}/a?dryRun=All`, whole));
}

async function remove(): Promise<void> {
  await send("DELETE", `${deployments}/a`, {});
  const patch = { metadata: { finalizers: null } };
  await send("PATCH", `${deployments}/a`, patch);
}

/** Strategic merge patches of a Deployment, compared with a model of their documentation. */
export const strategicPatch: AnyTarget = fuzzTarget({ name: "strategic-patch", inputs, check });
