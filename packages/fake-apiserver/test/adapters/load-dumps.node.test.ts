import { describe, expect, test } from "vitest";
import { widgetsCrd } from "../support/widgets-crd.ts";
import { loadFiles } from "../support/load-files.ts";

const dumped = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  uid: `0a0a0a0a-0000-4000-8000-${name.length.toString().padStart(12, "0")}`,
  resourceVersion: "77",
  creationTimestamp: "2026-01-01T00:00:00Z",
  ...more,
});

const owned = (kind: string, name: string, apiVersion = "v1") => ({
  ownerReferences: [{ apiVersion, kind, name, uid: dumped(name).uid }],
});

const list = (...items: readonly object[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 1);

const configMap = (metadata: object): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata });

// Lets the simulated controllers work.
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("an object without a name is refused for that, and one with a prefix gets a name", async () => {
  const { client, errors, loaded } = await loadFiles({
    "a.json": list(configMap({}), configMap({ generateName: "made-" })),
  });
  expect(errors).toEqual([
    'a.json:5: ConfigMap "" was refused: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ]);
  expect(loaded).toBe(1);
  const { body } = await client.get("/api/v1/namespaces/default/configmaps");
  expect(body["items"]).toMatchObject([{ metadata: { name: expect.stringMatching(/^made-/) } }]);
});

describe("a dump keeps the identity of its objects", () => {
  test("with uids, times, generations, managed fields and owners, before or behind them", async () => {
    const managedFields = [
      {
        manager: "kubectl",
        operation: "Update",
        apiVersion: "v1",
        time: "2026-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:a": {} } },
      },
    ];
    const owner = configMap(dumped("owner", { namespace: "team", managedFields, generation: 7 }));
    const child = configMap(
      dumped("the-child", { namespace: "team", ...owned("ConfigMap", "owner") }),
    );
    const { client, errors, loaded, warnings } = await loadFiles({ "a.json": list(child, owner) });
    await settle();
    expect({ errors, loaded, warnings }).toEqual({ errors: [], loaded: 2, warnings: [] });
    const { body } = await client.get("/api/v1/namespaces/team/configmaps");
    expect(body["items"]).toMatchObject([
      {
        metadata: {
          ...dumped("owner"),
          resourceVersion: expect.any(String),
          generation: 7,
          managedFields,
        },
      },
      { metadata: { uid: dumped("the-child").uid, ...owned("ConfigMap", "owner") } },
    ]);
    expect((await client.get("/api/v1/namespaces/team")).status).toBe(200);
    await client.call("DELETE", "/api/v1/namespaces/team/configmaps/owner");
    await settle();
    const left = await client.get("/api/v1/namespaces/team/configmaps");
    expect(left.body["items"]).toEqual([]);
  });

  test("with the references of events, volumes and tokens", async () => {
    const pod = { kind: "Pod", namespace: "default", name: "p", uid: "pod-uid", apiVersion: "v1" };
    const claimRef = {
      kind: "PersistentVolumeClaim",
      namespace: "default",
      name: "c",
      uid: "c-uid",
    };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: dumped("e.1", { namespace: "default" }),
      involvedObject: pod,
      reason: "Started",
      type: "Normal",
    };
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: dumped("volume"),
      spec: { claimRef, capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      status: { phase: "Bound", lastPhaseTransitionTime: "2026-01-01T00:00:00Z" },
    };
    const { client, errors } = await loadFiles({ "a.json": list(event, volume) });
    expect(errors).toEqual([]);
    const events = await client.get("/api/v1/namespaces/default/events/e.1");
    expect(events.body).toMatchObject({ involvedObject: pod });
    const found = await client.get("/api/v1/persistentvolumes/volume");
    expect(found.body).toMatchObject({ spec: { claimRef }, status: volume.status });
  });

  test("with Events in the form of either group", async () => {
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      eventTime: "2026-01-01T00:00:00.000000Z",
      regarding: { kind: "Pod", namespace: "default", name: "p" },
      note: "began",
      action: "Start",
      reason: "Started",
      reportingController: "kubelet",
      reportingInstance: "a",
      type: "Normal",
    };
    const stored = { ...event, metadata: dumped("e.1"), deprecatedCount: 1 };
    const { client, errors } = await loadFiles({
      "a.json": list(stored, { ...event, metadata: { name: "e.2", uid: dumped("e.2").uid } }),
    });
    expect(errors).toEqual([]);
    const { body } = await client.get("/api/v1/namespaces/default/events");
    const core = {
      message: "began",
      reportingComponent: "kubelet",
      involvedObject: event.regarding,
    };
    expect(body["items"]).toMatchObject([{ ...core, count: 1 }, core]);
  });

  test("and an object without a uid takes the one by which others refer to it", async () => {
    const files = {
      "a.json": list(
        configMap({ name: "owner", namespace: "default" }),
        configMap(dumped("the-child", { namespace: "default", ...owned("ConfigMap", "owner") })),
      ),
    };
    const { client } = await loadFiles(files);
    await settle();
    const { body } = await client.get("/api/v1/namespaces/default/configmaps/owner");
    expect(body["metadata"].uid).toBe(dumped("owner").uid);
    const child = await client.get("/api/v1/namespaces/default/configmaps/the-child");
    expect(child.status).toBe(200);
  });

  test("and objects without their owner stay, with a line, until their owners change", async () => {
    const lease = {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "node-a", namespace: "kube-node-lease", ...owned("Node", "node-a") },
      spec: { holderIdentity: "node-a", leaseDurationSeconds: 40 },
    };
    const { client, warnings } = await loadFiles({ "a.json": list(lease) });
    await settle();
    expect(warnings).toEqual([
      'a.json:5: Lease "node-a": its owner Node "node-a" is not there; it stays until its owner references change',
    ]);
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-a";
    await client.call("PATCH", path, { metadata: { labels: { seen: "yes" } } });
    await settle();
    expect((await client.get(path)).status).toBe(200);
    await client.call("PATCH", path, { metadata: owned("Node", "another-node") });
    await settle();
    expect((await client.get(path)).status).toBe(404);
  });

  test("and what is being deleted stays so, with the objects in it", async () => {
    const deletionTimestamp = "2026-01-02T00:00:00Z";
    const namespace = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: dumped("going", { deletionTimestamp }),
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Terminating" },
    };
    const inside = configMap(dumped("inside", { namespace: "going" }));
    const { client, errors } = await loadFiles({ "a.json": list(inside, namespace) });
    await settle();
    expect(errors).toEqual([]);
    const { body } = await client.get("/api/v1/namespaces/going");
    expect(body).toMatchObject({ metadata: { deletionTimestamp }, status: namespace.status });
    expect((await client.get("/api/v1/namespaces/going/configmaps/inside")).status).toBe(200);
  });

  test("but their creation times are those of the load if it is to be so", async () => {
    const creationTimestamp = "2026-11-28T00:00:00Z";
    const files = { "a.json": list(configMap(dumped("a", { namespace: "default" }))) };
    const { client } = await loadFiles(files, { creationTimestamp });
    const { body } = await client.get("/api/v1/namespaces/default/configmaps/a");
    expect(body["metadata"]).toMatchObject({ creationTimestamp, uid: dumped("a").uid });
  });
});

describe("a definition with a status", () => {
  const widgets = widgetsCrd({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  const empty = { acceptedNames: { kind: "", plural: "" }, conditions: [], storedVersions: [] };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";

  test("is created without it, as by kubectl", async () => {
    const { client, errors } = await loadFiles({ "a.json": list({ ...widgets, status: empty }) });
    expect(errors).toEqual([]);
    const { status } = (await client.get(path)).body;
    expect(status).toMatchObject({ acceptedNames: { kind: "Widget" }, storedVersions: ["v1"] });
    expect((await client.get("/apis/example.com/v1/widgets")).status).toBe(200);
  });

  test("keeps it with its identity", async () => {
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const condition = (type: string) => ({
      type,
      status: "True",
      lastTransitionTime,
      reason: "Whatever",
      message: "",
    });
    const status = {
      acceptedNames: { kind: "Widget", plural: "widgets" },
      conditions: [condition("NamesAccepted"), condition("Established")],
      storedVersions: ["v1alpha1", "v1"],
    };
    const metadata = dumped("widgets.example.com");
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: dumped("w") };
    const { client, errors } = await loadFiles({
      "a.json": list(widget, { ...widgets, metadata, status }),
    });
    expect(errors).toEqual([]);
    const found = (await client.get(path)).body;
    expect(found["metadata"].uid).toBe(metadata.uid);
    expect(found["status"]).toMatchObject({ storedVersions: ["v1alpha1", "v1"] });
    const established = found["status"].conditions.find(
      ({ type }: { type: string }) => type === "Established",
    );
    expect(established).toMatchObject({ lastTransitionTime });
    const { body } = await client.get("/apis/example.com/v1/namespaces/default/widgets/w");
    expect(body["metadata"].uid).toBe(dumped("w").uid);
  });
});

test("a custom object of a dump is read back through the schema of the stored version", async () => {
  const spec = (properties: object) => ({ type: "object", properties });
  const state = {
    type: "object",
    default: { phase: "New" },
    properties: { phase: { type: "string" } },
  };
  const size = { type: "integer", default: 3 };
  const version = (name: string, schema: object) => ({
    name,
    served: true,
    storage: name === "v2",
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  });
  const old = { type: "integer" };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "cups.k.example" },
    spec: {
      group: "k.example",
      scope: "Namespaced",
      names: { kind: "Cup", plural: "cups" },
      versions: [
        version("v1", spec({ spec: spec({ old }) })),
        version("v2", spec({ spec: spec({ old, size }), status: state })),
      ],
    },
  };
  const cup = {
    apiVersion: "k.example/v1",
    kind: "Cup",
    metadata: dumped("a", { namespace: "default" }),
    spec: { old: 1, size: 7 },
  };
  const { client, errors } = await loadFiles({ "a.json": list(cup, definition) });
  expect(errors).toEqual([]);
  const path = "namespaces/default/cups/a";
  const { body } = await client.get(`/apis/k.example/v2/${path}`);
  expect(body).toMatchObject({ spec: { old: 1, size: 3 }, status: { phase: "New" } });
  expect((await client.get(`/apis/k.example/v1/${path}`)).body["spec"]).toEqual({ old: 1 });
});

describe("files of dumps", () => {
  test("have lists of one kind, whose items inherit its type", async () => {
    const items = [{ metadata: { name: "one" } }, { metadata: { name: "two" } }];
    const { client, errors, loaded } = await loadFiles({
      "a.yaml": "apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: zero}\n",
      "b.json": JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", items }),
      "c.json": JSON.stringify({
        kind: "RoleList",
        apiVersion: "rbac.authorization.k8s.io/v1",
        items: null,
      }),
    });
    expect([errors, loaded]).toEqual([[], 3]);
    const { body } = await client.get("/api/v1/namespaces/default/configmaps");
    expect(body["items"]).toHaveLength(3);
  });

  test("are JSON lines, values one after the other, and the output of cluster-info dump", async () => {
    const line = (name: string): string =>
      JSON.stringify(configMap({ name, namespace: "default" }));
    const logs =
      "==== START logs for container c of pod default/p ====\n{ not: [yaml" +
      "==== END logs for container c of pod default/p ====\n";
    const maps = JSON.stringify(
      { kind: "ConfigMapList", apiVersion: "v1", items: [configMap({ name: "x" })] },
      null,
      4,
    );
    const { errors, loaded } = await loadFiles({
      "a.jsonl": `${line("a")}\n${line("b")}\n`,
      "b.ndjson": `${line("c")}\n\n${line("Bad_Name")}\n${line("d")}`,
      "c.json": `${line("e")}\n---\n${line("f")}`,
      "e.yaml": `${line("h")}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: i}\n`,
      "d.json": `${maps}\n${logs}${line("g")}\n${logs}`,
    });
    expect(loaded).toBe(10);
    expect(errors).toEqual([
      expect.stringMatching(/^document 2 of b\.ndjson:3: ConfigMap "Bad_Name" was refused: /),
    ]);
  });

  test("are in folders with other files, which are named", async () => {
    const pods = "apiVersion: v1\nitems: []\nkind: PodList\n";
    const { errors, loaded, warnings } = await loadFiles({
      "must-gather/cluster-scoped-resources/core/nodes/a.yaml":
        "apiVersion: v1\nkind: Node\nmetadata: {name: a, uid: u, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z'}\n",
      "must-gather/namespaces/default/core/pods.yaml": pods,
      "must-gather/namespaces/default/pods/p/c/logs/current.log": "apiVersion: {",
      "must-gather/etcd_info/endpoint_health.json": '[{"endpoint": "a"}]',
      "must-gather/monitoring/status.json": '{"status": "success"}',
      "must-gather/timestamp": "2026",
    });
    expect([errors, loaded]).toEqual([[], 1]);
    expect(warnings).toEqual([
      "must-gather/etcd_info/endpoint_health.json:1: Skipped, since it is not a Kubernetes object",
      "must-gather/monitoring/status.json:1: Skipped, since it is not a Kubernetes object",
    ]);
  });

  test("have all that cannot be loaded reported, with file, document and line", async () => {
    const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    const bad = good.replace("name: a", "name: A_");
    const { client, errors, loaded } = await loadFiles({
      "a.yaml": `${bad}---\n${good}---\nkind: [\n---\na: 1\na: 2\n---\n${good.replace("v1", "v9")}`,
      "b.yaml": `apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n- ${bad.trim().replaceAll("\n", "\n  ")}\n`,
    });
    expect(loaded).toBe(1);
    expect(errors).toEqual([
      expect.stringMatching(/^document 3 of a\.yaml:10: /),
      'document 4 of a.yaml:12: The key "a" is already set in its mapping',
      "b.yaml:4: Expected the text field apiVersion",
      expect.stringMatching(/^document 1 of a\.yaml:1: ConfigMap "A_" was refused: .* is invalid/),
      'document 5 of a.yaml:14: ConfigMap "a" was refused: no resource of kind ConfigMap in v9 is served',
      expect.stringMatching(/^b\.yaml:5: ConfigMap "A_" was refused: /),
    ]);
    expect((await client.get("/api/v1/namespaces/default/configmaps/a")).status).toBe(200);
  });
});

describe("services of a dump", () => {
  const service = (name: string, uid: string, ...clusterIPs: string[]) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: dumped(name, { namespace: "default", uid }),
    spec: {
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: clusterIPs.map((address) => (address.includes(":") ? "IPv6" : "IPv4")),
      ipFamilyPolicy: clusterIPs.length === 2 ? "RequireDualStack" : "SingleStack",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443, nodePort: 80 }],
      sessionAffinity: "None",
      type: "NodePort",
      externalTrafficPolicy: "Cluster",
    },
    status: { loadBalancer: {} },
  });

  test("keep their addresses and ports, and that of its server replaces the one that was there", async () => {
    const own = service("kubernetes", "of-the-dump", "10.96.0.1");
    const dual = service("dual", "u", "10.96.0.9", "fd00::9");
    const { client, errors } = await loadFiles({ "a.json": list(own, dual) });
    expect(errors).toEqual([]);
    const path = "/api/v1/namespaces/default/services";
    const kubernetes = (await client.get(`${path}/kubernetes`)).body;
    expect(kubernetes).toMatchObject({ metadata: { uid: "of-the-dump" }, spec: own.spec });
    expect((await client.get(`${path}/dual`)).body).toMatchObject({ spec: dual.spec });
    const addresses = (await client.get("/apis/networking.k8s.io/v1/ipaddresses")).body["items"];
    const names = addresses.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names).toEqual(["10.96.0.1", "10.96.0.9", "fd00::9"]);
  });

  test("give the server its ranges with their ServiceCIDR", async () => {
    const range = {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: dumped("kubernetes"),
      spec: { cidrs: ["10.96.0.0/12"] },
    };
    const own = service("kubernetes", "u", "10.96.0.1");
    const fresh = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "new" },
      spec: { clusterIP: "10.100.0.1", ports: [{ port: 80 }] },
    };
    const { errors } = await loadFiles({ "a.json": list(fresh, own, range) });
    expect(errors).toEqual([]);
    const refused = await loadFiles({ "a.json": list(fresh) });
    expect(refused.errors).toEqual([expect.stringMatching(/does not match the current range$/)]);
  });

  test("get the ranges of a ServiceCIDR without identity, of both families", async () => {
    const range = {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name: "kubernetes" },
      spec: { cidrs: ["10.96.0.0/16", "fd00:10:96::/112"] },
    };
    const dual = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "dual" },
      spec: { ipFamilyPolicy: "RequireDualStack", ports: [{ port: 80 }] },
    };
    const { client, errors } = await loadFiles({ "a.json": list(dual, range) });
    expect(errors).toEqual([]);
    const { body } = await client.get("/api/v1/namespaces/default/services/dual");
    expect(body["spec"].clusterIPs).toEqual([
      expect.stringMatching(/^10\.96\./),
      expect.stringMatching(/^fd00:10:96::/),
    ]);
  });

  test("replace what a manifest without identity finds there", async () => {
    const { metadata: _metadata, ...rest } = service("kubernetes", "", "10.0.0.1");
    const spec = { ...rest.spec, type: "ClusterIP", ports: [{ name: "https", port: 443 }] };
    const { externalTrafficPolicy: _policy, ...plain } = spec;
    const metadata = { name: "kubernetes", namespace: "default", labels: { from: "file" } };
    const { client, errors } = await loadFiles({
      "a.json": list({ ...rest, metadata, spec: plain }),
    });
    expect(errors).toEqual([]);
    const { body } = await client.get("/api/v1/namespaces/default/services/kubernetes");
    expect(body["metadata"].labels).toEqual({ from: "file" });
  });
});
