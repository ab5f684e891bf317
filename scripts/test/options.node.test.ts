// Goes through each option of each class and function that the API reports show.
import * as client from "@listwatch/client";
import * as clientNode from "@listwatch/client/node";
import * as dropIn from "@listwatch/client-node";
import * as controller from "@listwatch/controller";
import * as fifo from "@listwatch/core-fifo";
import { isPromiseLike, systemClock } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import * as fake from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import * as manager from "@listwatch/manager";
import * as reflector from "@listwatch/reflector";
import { generateDefinitions } from "@listwatch/resources/generator";
import * as informer from "@listwatch/shared-informer";
import * as store from "@listwatch/store-indexer";
import * as streams from "@listwatch/streams";
import * as testing from "@listwatch/testing";
import * as webhooks from "@listwatch/webhooks";
import * as webhooksNode from "@listwatch/webhooks/node";
import * as workqueue from "@listwatch/workqueue";
import { connect, findClusterConfig } from "listwatch/node";
import { describe, expect, test } from "vitest";
import { readOptionsTakers } from "../checks/api-options.ts";
import type { Form } from "../checks/api-shapes.ts";

type Options = Record<string, unknown>;
/** Calls with options of any type, and the options that are required. */
type Row = readonly [call: (options: never) => unknown, required?: Options];

const none = (): undefined => undefined;
const connection = client.createConnection({
  server: "http://server",
  fetch: () => Promise.reject(new Error("unused")),
});
const api = client.createClient(connection);
const resource = { group: "", version: "v1", resource: "pods" };
const pods = api.resource(resource);
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "a", name: "b", resourceVersion: "1" },
};
const scale = pods.subresource("scale");
const listerWatcher = { list: none, watch: none };
const clusterConfig = { origin: "", server: "http://server", user: {} };
const allCredentials = {
  exec: { apiVersion: "v1", command: "a", args: [], env: {} },
  oidc: { issuer: "https://a", clientId: "a" },
  impersonate: { user: "a", groups: [], extra: {} },
};
const watch = { expectedType: { apiVersion: "v1", kind: "Pod" } };
const delays = { durationMs: 1, steps: 1 };
const kubeConfig = {
  exportConfig: () => "{}",
  getCurrentContext: none,
  loadFromOptions: none,
  applyToHTTPSOptions: none,
};
const items = new store.Indexer<object>();
const lister = new store.Lister(items, { resource: "pods" });
const real = new fifo.RealFIFO<object>({ keyFunc: () => "a" });
const deltas = new fifo.DeltaFIFO<object>({ keyFunc: () => "a" });
const single = new fifo.FIFO<object>({ keyFunc: () => "a" });
const heap = new fifo.Heap<object>({ less: () => true, keyFunc: () => "a" });
const queue = new workqueue.WorkQueue<string>();
const shared = new informer.SharedInformer({ listerWatcher: listerWatcher as never });
const factory = new informer.SharedInformerFactory({ connection });
const processor = new informer.SharedProcessor<object>();
const listener = new informer.ProcessorListener<object>({});
const storeOfReflector = { add: none, update: none, delete: none, replace: none };
const elector = { client: api, lease: { namespace: "a", name: "b" } };
const source = new informer.ReflectorSource({ listerWatcher: listerWatcher as never });
const never = new AbortController().signal;
const collection = new client.Collection({ connection, resource });
const pager = new reflector.Pager({ list: none as never });
const idleManager = (): manager.Manager => manager.createManager(connection, { name: "a" });
const cluster = await testing.testCluster();
const recording = { header: {}, lines: (async function* () {})(), moment: () => 0 };
const make =
  (type: abstract new (...all: never[]) => unknown, ...before: unknown[]) =>
  (options: never): unknown =>
    Reflect.construct(type as never, [...before, options]);
const on =
  (of: object, method: string, ...before: unknown[]) =>
  (options: never): unknown =>
    (Reflect.get(of, method) as (...all: unknown[]) => unknown).call(of, ...before, options);
const key = "a/b";

const rows: Readonly<Record<string, Row>> = {
  toEventStream: [(o) => streams.toEventStream({}, o), { authorize: none }],
  eventStreamSource: [(o) => streams.eventStreamSource("http://server", o)],
  reviewAccess: [streams.reviewAccess, { client: api, resources: {}, userOf: none }],
  validating: [(o) => webhooks.validating(pods.resource, () => {}, o)],
  mutating: [(o) => webhooks.mutating(pods.resource, () => {}, o)],
  certificatesFromSecret: [
    (o) => webhooks.certificatesFromSecret(api, o),
    { namespace: "a", name: "b" },
  ],
  certificatesFromFiles: [webhooksNode.certificatesFromFiles, { certificate: "a", key: "b" }],
  webhookConfigurations: [
    (o) => webhooks.webhookConfigurations([], o),
    { name: "a", url: "https://a", excludedNamespaces: [] },
  ],
  applyWebhookConfigurations: [(o) => webhooks.applyWebhookConfigurations(api, none as never, o)],
  conversion: [webhooks.conversion, { hub: pods.resource, versions: [] }],
  fromPlugin: [(o) => webhooks.fromPlugin({ name: "a", validate: () => {} }, o)],
  "Manager.controller": [(o) => idleManager().controller(o), { for: resource, reconcile: none }],
  "ManagedInformers.informer": [(o) => idleManager().informers.informer(resource, o)],
  "ManagedInformers.lister": [(o) => idleManager().informers.lister(resource, o)],
  "TestCluster.until": [(o) => cluster.until(() => true, o)],
  Replay: [make(fake.Replay, new fake.FakeApiServer(), recording)],
  simulate: [(o) => testing.simulate({ name: "nothing", start: async () => {} }, o)],
  connectKubeConfig: [(o) => dropIn.connectKubeConfig(kubeConfig as never, o)],
  makeInformer: [
    (o) => dropIn.makeInformer(kubeConfig as never, "/api/v1/pods", none as never, "", o),
    { watch },
  ],
  createConnection: [client.createConnection, { server: "http://server" }],
  resolveKubeconfig: [(o) => client.resolveKubeconfig([], o)],
  jsonDecoder: [client.jsonDecoder],
  extractOwned: [(o) => client.extractOwned({}, "a", o)],
  createClient: [(o) => client.createClient(connection, o)],
  "ResourceClient.get": [on(pods, "get", key)],
  "ResourceClient.list": [on(pods, "list")],
  "ResourceClient.items": [on(pods, "items")],
  "ResourceClient.watch": [on(pods, "watch")],
  "ResourceClient.create": [on(pods, "create", pod)],
  "ResourceClient.update": [on(pods, "update", pod)],
  "ResourceClient.updateStatus": [on(pods, "updateStatus", pod)],
  "ResourceClient.patch": [on(pods, "patch", key, {})],
  "ResourceClient.patchStatus": [on(pods, "patchStatus", key, {})],
  "ResourceClient.apply": [on(pods, "apply", pod), { fieldManager: "a" }],
  "ResourceClient.delete": [on(pods, "delete", key)],
  "ResourceClient.deleteCollection": [on(pods, "deleteCollection"), { all: true }],
  "ResourceClient.scale": [on(pods, "scale", key, 1)],
  "ResourceClient.evict": [on(pods, "evict", key)],
  "ResourceClient.bind": [on(pods, "bind", key, "node")],
  "ResourceClient.token": [on(pods, "token", key), { boundObjectRef: { kind: "Pod", name: "a" } }],
  "ResourceClient.log": [on(pods, "log", key)],
  "SubresourceClient.get": [on(scale, "get", key)],
  "SubresourceClient.create": [on(scale, "create", key, {})],
  "SubresourceClient.update": [on(scale, "update", key, {})],
  "SubresourceClient.patch": [on(scale, "patch", key, {})],
  Collection: [make(client.Collection), { connection, resource }],
  "Collection.list": [(o) => collection.list(o, { signal: never })],
  "Collection.watch": [(o) => collection.watch(o, { signal: never })],
  ensureDefinition: [(o) => client.ensureDefinition(api, { metadata: { name: "a" } }, o)],
  waitFor: [(o) => client.waitFor(pods, key as never, none as never, o)],
  "createClusterConnection(config)": [
    clientNode.createClusterConnection,
    { ...clusterConfig, user: allCredentials },
  ],
  "createClusterConnection(options)": [(o) => clientNode.createClusterConnection(clusterConfig, o)],
  inClusterConfig: [clientNode.inClusterConfig],
  loadKubeconfig: [clientNode.loadKubeconfig, { paths: [] }],
  nodeTransport: [clientNode.nodeTransport],
  LeaderElector: [make(controller.LeaderElector), elector],
  "LeaderElector.lead": [on(new controller.LeaderElector(elector), "lead", none)],
  ShardRing: [make(controller.ShardRing), { client: api, namespace: "a", name: "b" }],
  EventRecorder: [make(controller.EventRecorder), { client: api, controller: "a", instance: "b" }],
  Controller: [make(controller.Controller), { reconcile: none }],
  "Controller.for": [(o) => new controller.Controller({ reconcile: none }).for(shared, o)],
  "Controller.owns": [
    (o) =>
      new controller.Controller({ reconcile: none }).owns(shared, { group: "", kind: "Pod" }, o),
  ],
  "Controller.watches": [
    (o) => new controller.Controller({ reconcile: none }).watches(shared, () => [], o),
  ],
  retryOnConflict: [(o) => controller.retryOnConflict(none as never, o), { delays }],
  withFinalizer: [
    (o) => controller.withFinalizer(pods, pod, o),
    { finalizer: "a", apply: none, cleanup: none, delays },
  ],
  setCondition: [(o) => controller.setCondition([], { type: "Ready", status: "True" }, o)],
  writeStatus: [(o) => controller.writeStatus(pods, pod, none, o), { delays }],
  sleep: [(o) => fifo.sleep(0, o)],
  DeltaFIFO: [make(fifo.DeltaFIFO)],
  "DeltaFIFO.pop": [on(deltas, "pop", none)],
  objectName: [(o) => fifo.objectName(pod, o)],
  metaNamespaceKey: [(o) => fifo.metaNamespaceKey(pod, o)],
  deletionHandlingMetaNamespaceKey: [(o) => fifo.deletionHandlingMetaNamespaceKey(pod, o)],
  deletionHandlingObjectName: [(o) => fifo.deletionHandlingObjectName(pod, o)],
  FIFO: [make(fifo.FIFO)],
  "FIFO.pop": [on(single, "pop", none)],
  Heap: [make(fifo.Heap), { less: none }],
  "Heap.pop": [on(heap, "pop")],
  RealFIFO: [make(fifo.RealFIFO)],
  "RealFIFO.waitForCapacity": [on(real, "waitForCapacity")],
  "RealFIFO.pop": [on(real, "pop", none)],
  "RealFIFO.popBatch": [on(real, "popBatch", none, none)],
  "RealFIFO.takeBatch": [on(real, "takeBatch")],
  "RealFIFO.waitForDeltas": [on(real, "waitForDeltas")],
  SimulatedClock: [make(SimulatedClock)],
  FakeApiServer: [make(fake.FakeApiServer)],
  withControlEndpoints: [(o) => fake.withControlEndpoints(new fake.FakeApiServer(), o)],
  listen: [(o) => listen(new fake.FakeApiServer(), o)],
  connect: [connect, { paths: [] }],
  findClusterConfig: [findClusterConfig, { paths: [] }],
  findInconsistency: [
    reflector.findInconsistency,
    { listerWatcher, objects: [], resourceVersion: "0" },
  ],
  httpListerWatcher: [reflector.httpListerWatcher, { connection, resource }],
  Pager: [make(reflector.Pager), { list: none }],
  "Pager.list": [(o) => pager.list(o, { signal: never })],
  "Pager.batches": [(o) => pager.batches(o, { signal: never })],
  Reflector: [make(reflector.Reflector), { listerWatcher, store: storeOfReflector, watch }],
  "Reflector.waitForResourceVersion": [
    on(
      new reflector.Reflector({ listerWatcher, store: storeOfReflector } as never),
      "waitForResourceVersion",
      "0",
    ),
  ],
  RetryWatcher: [make(reflector.RetryWatcher), { listerWatcher, resourceVersion: "1" }],
  until: [reflector.until, { listerWatcher, resourceVersion: "1", conditions: [] }],
  generateDefinitions: [(o) => generateDefinitions([], o)],
  ProcessorListener: [make(informer.ProcessorListener, {})],
  filteringHandler: [(o) => informer.filteringHandler({}, o), { filter: none }],
  waitForCacheSync: [(o) => informer.waitForCacheSync([], o)],
  SharedProcessor: [make(informer.SharedProcessor)],
  "SharedProcessor.addListener": [(o) => processor.addListener(listener, o)],
  "SharedProcessor.shouldResync": [(o) => processor.shouldResync(o)],
  SharedInformerFactory: [make(informer.SharedInformerFactory), { connection }],
  "SharedInformerFactory.informer": [on(factory, "informer", resource)],
  "SharedInformerFactory.lister": [on(factory, "lister", resource)],
  "SharedInformerFactory.waitForCacheSync": [on(factory, "waitForCacheSync")],
  SharedInformer: [make(informer.SharedInformer), { listerWatcher }],
  newInformer: [(o) => informer.newInformer({}, o), { listerWatcher }],
  Informer: [make(informer.Informer, source)],
  "Informer.isFresh": [on(shared, "isFresh"), { withinMs: 1 }],
  "Informer.addEventHandler": [on(shared, "addEventHandler", {})],
  "Informer.addListener": [on(shared, "addListener", listener)],
  "Informer.events": [on(shared, "events")],
  "Informer.waitForResourceVersion": [on(shared, "waitForResourceVersion", "0")],
  "Informer.waitForObject": [on(shared, "waitForObject", pod)],
  ReflectorSource: [make(informer.ReflectorSource), { listerWatcher, watch }],
  InformerView: [make(informer.InformerView, [shared])],
  ExpirationStore: [make(store.ExpirationStore)],
  Indexer: [make(store.Indexer)],
  KeyedStore: [make(store.KeyedStore)],
  LabelRequirement: [make(store.LabelRequirement, "a", "exists", [])],
  "LabelSelector.fromSet": [(o) => store.LabelSelector.fromSet({}, o)],
  "Lister.list": [on(lister, "list")],
  "NamespacedLister.list": [on(lister.namespace("a"), "list")],
  MutationCache: [make(store.MutationCache, items)],
  UndeltaStore: [make(store.UndeltaStore), { push: none }],
  DelaySequence: [make(workqueue.DelaySequence), { durationMs: 1 }],
  KeyedBackoff: [make(workqueue.KeyedBackoff), { initialMs: 1, maxMs: 1 }],
  ItemExponentialFailureRateLimiter: [
    make(workqueue.ItemExponentialFailureRateLimiter),
    { baseMs: 1, maxMs: 1 },
  ],
  ItemFastSlowRateLimiter: [
    make(workqueue.ItemFastSlowRateLimiter),
    { fastMs: 1, slowMs: 1, maxFastAttempts: 1 },
  ],
  BucketRateLimiter: [make(workqueue.BucketRateLimiter), { qps: 1, burst: 1 }],
  WithMaxWaitRateLimiter: [
    make(workqueue.WithMaxWaitRateLimiter),
    { limiter: workqueue.defaultControllerRateLimiter(), maxMs: 1 },
  ],
  FairOrdering: [make(workqueue.FairOrdering)],
  parallelize: [(o) => workqueue.parallelize(0, none, o), { workers: 1 }],
  WorkQueue: [make(workqueue.WorkQueue)],
  "WorkQueue.add": [on(queue, "add", "a")],
  "WorkQueue.addAfter": [on(queue, "addAfter", "a", 1)],
  "WorkQueue.addRateLimited": [on(queue, "addRateLimited", "a")],
  "WorkQueue.get": [on(queue, "get")],
  "WorkQueue.shutDownWithDrain": [on(queue, "shutDownWithDrain")],
};

/** Takers without rows, with the reasons. */
const others: Readonly<Record<string, string>> = {
  replay: "has the options of simulate",
  Manager: "is created by createManager",
  createManager: "hands its groups to the client, the factory and the elector, which name them",
  "RealTestCluster.manager": "has the options of createManager",
  "TestCluster.manager": "has the options of createManager",
  testCluster: "hands a group to FakeApiServer, which names its options",
  withTestCluster: "has the options of testCluster",
  TestCluster: "is created by testCluster",
  readYaml: "is for our packages",
  serveWebhooks: "takes a source of certificates, which is an object of the program",
  rotatedCertificates: "takes configurations, which webhookConfigurations makes",
  Lister: "takes a handle of a resource, which is an object of the program",
};

/** Options for which any number is right. */
const anyNumber = new Set(["priority", "chunkSize", "seed", "ttlMs"]);
/** Values with the forms of the options that accept them. */
const values: readonly (readonly [value: unknown, accepting: readonly Form[]])[] = [
  ["5", ["any", "iterable", "string"]],
  [5, ["any", "number"]],
  [-1, ["any"]],
  [Number.NaN, []],
  [true, ["any", "boolean"]],
  [none, ["any", "function"]],
  [{}, ["any", "group", "object"]],
  [[], ["any", "array", "iterable", "object"]],
  [null, ["any", "null"]],
  [Symbol("wrong"), []],
];

function wrongValues(path: string, forms: ReadonlySet<Form>): readonly unknown[] {
  return values
    .filter(([, accepting]) => !accepting.some((form) => forms.has(form)))
    .map(([value]) => value)
    .filter((value) => value !== -1 || !anyNumber.has(path));
}

/** Options with one more, at a path such as `limits.timeoutMs`. */
function withOption(options: Options, path: string, value: unknown): Options {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...options, [name]: value };
  const group = (options[name] ?? {}) as Options;
  return { ...options, [name]: withOption(group, rest.join("."), value) };
}

/** A call that is not refused may wait for ever. */
async function someTurns(): Promise<undefined> {
  for (let turn = 0; turn < 20; turn++) await systemClock.nextTurn();
  return undefined;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const called = call();
    const result = isAsyncIterable(called) ? called[Symbol.asyncIterator]().next() : called;
    if (isPromiseLike(result))
      return await Promise.race([
        result.then(
          () => undefined,
          (error: unknown) => error,
        ),
        someTurns(),
      ]);
  } catch (error) {
    return error;
  }
  return undefined;
}

const refusalOf = ([call, required = {}]: Row, path: string, value: unknown): Promise<unknown> =>
  errorOf(() => call(withOption(required, path, value) as never));

/** Options of groups that can only be meant where they are, with their paths. */
function misplacedIn(options: ReadonlyMap<string, unknown>): readonly [string, string][] {
  const paths = [...options.keys()];
  const leafOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
  return paths
    .filter((path) => path.split(".").length === 2)
    .filter((path) => paths.filter((each) => leafOf(each) === leafOf(path)).length === 1)
    .map((path) => [leafOf(path), path]);
}

const takers = readOptionsTakers();

test("each function, constructor and method with options has a row, or a reason for none", () => {
  const known = [...Object.keys(rows), ...Object.keys(others)];
  expect(known.toSorted()).toEqual(takers.map(({ name }) => name).toSorted());
});

describe.each(takers.filter(({ name }) => name in rows))("$name", ({ name, options }) => {
  const row = rows[name]!;
  test.each([...options])("refuses wrong values of %s, and names it", async (path, { forms }) => {
    for (const value of wrongValues(path, forms)) {
      const error = await refusalOf(row, path, value);
      expect(error).toMatchObject({
        code: expect.stringMatching(/^LW_INVALID_(OPTIONS|NAME)$/),
      });
      expect((error as Error).message).toContain(path);
    }
  });
  test.each([...options.keys()])(
    "refuses a misspelled %s, and tells the right name",
    async (path) => {
      const option = `${path}x`;
      const error = await refusalOf(row, option, 1);
      expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS", option });
      expect((error as Error).message).toContain(path);
    },
  );
  test.each(misplacedIn(options))("tells that %s belongs in a group, %s", async (option, path) => {
    const error = await refusalOf(row, option, 1);
    expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS", option });
    expect((error as Error).message).toContain(`did you mean ${path}?`);
  });
  test.each([...options].filter(([, { isRequired }]) => isRequired))(
    "refuses to do without %s",
    async (path) => {
      const error = await refusalOf(row, path, undefined);
      expect(error).toMatchObject({ code: expect.stringMatching(/^LW_INVALID_(OPTIONS|NAME)$/) });
      expect((error as Error).message).toContain(path);
    },
  );
  test("refuses a signal, null and a string in place of its options", async () => {
    for (const value of [new AbortController().signal, null, "options"]) {
      if (value === "options" && /(Name|Key)$/.test(name)) continue;
      const error = await errorOf(() => row[0](value as never));
      expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS" });
    }
  });
});
