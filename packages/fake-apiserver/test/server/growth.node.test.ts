import {
  type ApiObject,
  FakeApiServer,
  type FakeApiServerOptions,
} from "@listwatch/fake-apiserver";
import { describe, expect, test, vi } from "vitest";
import { growth, mostOfLinear, type Work } from "../support/growth.ts";
import { runtime } from "../support/listen-here.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

// Measured only in Node, whose clock and garbage collector are steady; the code is the same
// everywhere.
const onNode = { skip: runtime !== "node", timeout: 120_000 };

type Fields = Readonly<Record<string, unknown>>;

const inDefault = "namespaces/default";
const configMaps = `/api/v1/${inDefault}/configmaps`;
const pods = `/api/v1/${inDefault}/pods`;
const widgets = `/apis/example.com/v1/${inDefault}/widgets`;
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";
const deployments = `/apis/apps/v1/${inDefault}/deployments`;
const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

function object(apiVersion: string, kind: string, fields: Fields = {}): ApiObject {
  return { apiVersion, kind, metadata: { name: "a", namespace: "default" }, ...fields };
}

const clusterObject = (apiVersion: string, kind: string, fields: Fields): ApiObject => ({
  ...object(apiVersion, kind, fields),
  metadata: { name: "a" },
});

function pod(spec: Fields, container: Fields = {}, status: Fields = {}): ApiObject {
  const containers = [{ name: "c", image: "i", ...container }];
  return object("v1", "Pod", { spec: { containers, ...spec }, status });
}

function deployment(env: readonly Fields[]): ApiObject {
  const labels = { app: "a" };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "c", image: "i", env }] },
  };
  return object("apps/v1", "Deployment", {
    spec: { selector: { matchLabels: labels }, template },
  });
}

const envPatch = (container: Fields): Fields => ({
  spec: { template: { spec: { containers: [{ name: "c", ...container }] } } },
});

const owner = (index: number, more: Fields = {}): Fields => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: `o${index}`,
  uid: `u${index}`,
  ...more,
});

const withOwners = (ownerReferences: readonly unknown[]): ApiObject => ({
  ...object("v1", "ConfigMap"),
  metadata: { name: "a", namespace: "default", ownerReferences },
});

const enumDefinition = (size: number): ApiObject =>
  widgetsCrd({
    type: "object",
    properties: {
      spec: { type: "array", items: { type: "string", enum: times(size, (index) => `e${index}`) } },
    },
  });

/** A request and what the server has before it. */
interface Exchange extends FakeApiServerOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

function workOf({ body, headers = {}, method, path, status, ...options }: Exchange): Work {
  const server = new FakeApiServer(options);
  const init = {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const query = method === "GET" ? "" : "?dryRun=All";
  const url = new URL(`${path}${path.includes("?") ? "" : query}`, "http://localhost");
  return async () => {
    const response = await server.fetch(new Request(url, init));
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  };
}

const post = (path: string, body: unknown, status = 201): Exchange => ({
  method: "POST",
  path,
  body,
  status,
});

const put = (path: string, stored: ApiObject, body: unknown, status = 200): Exchange => ({
  method: "PUT",
  path: `${path}/a`,
  body,
  status,
  objects: [stored],
});

const patchOf = (path: string, body: unknown, type: "merge" | "strategic-merge"): Exchange => ({
  method: "PATCH",
  path,
  headers: { "content-type": `application/${type}-patch+json` },
  body,
  status: 200,
});

const patchOfEnv = (size: number, container: Fields): Exchange => ({
  ...patchOf(`${deployments}/a`, envPatch(container), "strategic-merge"),
  objects: [deployment(times(size, (index) => ({ name: `E${index}`, value: "x" })))],
});

const tolerations = (size: number): Fields[] =>
  times(size, (index) => ({ key: `k${index}`, operator: "Exists" }));

const drivers = (size: number): Fields[] =>
  times(size, (index) => ({ name: `d${index}`, nodeID: "n", topologyKeys: ["k"] }));

const roles = (size: number, rules: readonly Fields[]): Exchange => {
  const rbac = "rbac.authorization.k8s.io";
  const held = [
    { apiGroups: [rbac], resources: ["roles"], verbs: ["create"] },
    ...times(size, (index) => ({ apiGroups: [""], resources: [`r${index}`], verbs: ["get"] })),
  ];
  return {
    ...post(`/apis/${rbac}/v1/${inDefault}/roles`, object(`${rbac}/v1`, "Role", { rules })),
    headers: { authorization: "Bearer token" },
    authorization: "rbac",
    users: { token: { username: "user" } },
    objects: [
      clusterObject(`${rbac}/v1`, "ClusterRole", { rules: held }),
      clusterObject(`${rbac}/v1`, "ClusterRoleBinding", {
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "a" },
        subjects: [{ kind: "User", apiGroup: rbac, name: "user" }],
      }),
    ],
  };
};

describe("a request takes time linear in what it sends and finds", onNode, () => {
  test.each<[string, number, (size: number) => Exchange]>([
    ["owners", 250, (size) => post(configMaps, withOwners(times(size, (index) => owner(index))))],
    ["equal owners", 250, (size) => post(configMaps, withOwners(times(size, () => owner(0))))],
    [
      "owners that are all controllers",
      100,
      (size) =>
        post(
          configMaps,
          withOwners(times(size, (index) => owner(index, { controller: true }))),
          422,
        ),
    ],
    [
      "claims that a pod does not have",
      60,
      (size) => {
        const resourceClaims = times(size, (index) => ({
          name: `c${index}`,
          resourceClaimName: "x",
        }));
        const claims = times(size, (index) => ({ name: `d${index}` }));
        return post(pods, pod({ resourceClaims }, { resources: { claims } }), 422);
      },
    ],
    [
      "values that an enum does not have",
      100,
      (size) => ({
        ...post(
          widgets,
          object("example.com/v1", "Widget", { spec: times(size, (index) => `f${index}`) }),
          422,
        ),
        crds: [enumDefinition(size)],
      }),
    ],
    [
      "values that an enum has",
      200,
      (size) => ({
        ...post(
          widgets,
          object("example.com/v1", "Widget", {
            spec: times(size, (index) => `e${size - 1 - index}`),
          }),
        ),
        crds: [enumDefinition(size)],
      }),
    ],
    [
      "tolerations of a changed pod",
      150,
      (size) => {
        const more = [...tolerations(size).toReversed(), { key: "new", operator: "Exists" }];
        return put(pods, pod({ tolerations: tolerations(size) }), pod({ tolerations: more }));
      },
    ],
    [
      "drivers of a changed node",
      200,
      (size) => {
        const body = { spec: { drivers: drivers(size).toReversed() } };
        const spec = { drivers: drivers(size) };
        return {
          ...patchOf(`${csiNodes}/a`, body, "merge"),
          objects: [clusterObject("storage.k8s.io/v1", "CSINode", { spec })],
        };
      },
    ],
    [
      "deletions of a strategic merge patch",
      250,
      (size) => {
        const env = times(size, (index) => ({ name: `E${size - 1 - index}`, $patch: "delete" }));
        return patchOfEnv(size, { env });
      },
    ],
    [
      "the order of a strategic merge patch",
      250,
      (size) => {
        const env = times(size, (index) => ({ name: `E${size - 1 - index}`, value: "y" }));
        const order = env.map(({ name }) => ({ name }));
        return patchOfEnv(size, { env, "$setElementOrder/env": order });
      },
    ],
    [
      "readiness gates in a table",
      150,
      (size) => ({
        method: "GET",
        path: pods,
        headers: asTable,
        status: 200,
        objects: [
          pod(
            { readinessGates: times(size, (index) => ({ conditionType: `x.io/c${index}` })) },
            {},
            {
              conditions: times(size, (index) => ({
                type: `x.io/c${size - 1 - index}`,
                status: "True",
              })),
            },
          ),
        ],
      }),
    ],
    [
      "values of a label selector",
      200,
      (size) => {
        const values = times(size, (index) => `w${index}`).join(",");
        return {
          method: "GET",
          path: `${configMaps}?labelSelector=${encodeURIComponent(`a in (${values})`)}`,
          status: 200,
          objects: times(size, (index) => ({
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: `c${index}`, namespace: "default", labels: { a: `v${index}` } },
          })),
        };
      },
    ],
    [
      "rules of a role",
      60,
      (size) =>
        roles(
          size,
          times(size, (index) => ({
            apiGroups: [""],
            resources: [`r${size - 1 - index}`],
            verbs: ["get"],
          })),
        ),
    ],
    [
      "a rule of many resources, names and verbs",
      30,
      (size) => {
        const list = (prefix: string): string[] => times(size, (index) => `${prefix}${index}`);
        const rule = {
          apiGroups: list("g"),
          resources: list("r"),
          resourceNames: list("n"),
          verbs: list("v"),
        };
        return { ...roles(0, [rule]), status: 403 };
      },
    ],
  ])("%s", async (_name, size, exchangeOf) => {
    expect(await growth(size, (count) => workOf(exchangeOf(count)))).toBeLessThan(mostOfLinear);
  });
});

const send = async (server: FakeApiServer, method: string, path: string, body?: unknown) => {
  const headers = { "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await server.fetch(new Request(`http://localhost${path}`, init));
  await response.text();
  return response.status;
};

/** Counts the characters of JSON that are parsed meanwhile. */
async function parsedBy(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, "parse");
  try {
    await work();
    return parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  } finally {
    parse.mockRestore();
  }
}

describe("parses no other objects again", onNode, () => {
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const definition = (index: number): ApiObject => {
    const crd = widgetsCrd({ type: "object", description: "x".repeat(1000) });
    const names = { plural: `w${index}s`, kind: `W${index}` };
    return {
      ...crd,
      metadata: { name: `w${index}s.example.com` },
      spec: { ...crd.spec, names },
    };
  };

  test.each(["POST", "DELETE"])("the %s of one definition beside many", async (method) => {
    const characters: number[] = [];
    for (const others of [100, 300]) {
      const server = new FakeApiServer({ crds: times(others, definition) });
      const path = method === "POST" ? definitions : `${definitions}/w0s.example.com`;
      const body = method === "POST" ? definition(others) : undefined;
      const work = (): Promise<number> => send(server, method, path, body);
      characters.push(await parsedBy(work));
    }
    const [few = 0, many = 0] = characters;
    expect(many).toBeLessThan(few + 1000);
  });

  test("a foreground deletion with many dependents", async () => {
    const characters: number[] = [];
    for (const size of [200, 400]) {
      const first = {
        ...withOwners([]),
        metadata: { name: "o0", namespace: "default", uid: "u0" },
      };
      const dependents = times(size, (index) => ({
        ...withOwners([]),
        metadata: {
          name: `d${index}`,
          namespace: "default",
          ownerReferences: [owner(0, { blockOwnerDeletion: true })],
        },
      }));
      const server = new FakeApiServer({ objects: [first, ...dependents] });
      const path = `${configMaps}/o0?propagationPolicy=Foreground`;
      characters.push(await parsedBy(() => send(server, "DELETE", path)));
    }
    const [few = 0, many = 0] = characters;
    expect(many).toBeLessThan(3 * few);
  });

  test("deletions of claims that pods use", async () => {
    const characters: number[] = [];
    for (const size of [100, 200]) {
      const claims = times(size, (index) => ({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: `c${index}`, namespace: "default" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }));
      const users = times(size, (index) => ({
        ...pod({
          volumes: [{ name: "v", persistentVolumeClaim: { claimName: `c${index}` } }],
        }),
        metadata: { name: `p${index}`, namespace: "default" },
      }));
      const server = new FakeApiServer({ objects: [...claims, ...users] });
      characters.push(
        await parsedBy(async () => {
          for (let index = 0; index < size; index++) {
            await send(server, "DELETE", `/api/v1/${inDefault}/persistentvolumeclaims/c${index}`);
          }
          for (let index = 0; index < size; index++) {
            await send(server, "DELETE", `${pods}/p${index}`);
          }
        }),
      );
      const list = await server.fetch(
        new Request(`http://localhost/api/v1/${inDefault}/persistentvolumeclaims`),
      );
      expect(await list.json()).toMatchObject({ items: [] });
    }
    const [few = 0, many = 0] = characters;
    expect(many).toBeLessThan(3 * few);
  });
});
