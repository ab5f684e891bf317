import { describe, expect, test } from "vitest";
import { NameHashes } from "../../src/recording/node-name-hashes.ts";
import { Redaction } from "../../src/recording/redaction.ts";

const dnsLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

describe("hashes of names", () => {
  test("are valid names of at most the same length, the same each time", () => {
    const hashes = new NameHashes();
    for (const name of [
      "a",
      "7",
      "web",
      "web-7d9f6-x2x4k",
      "a-very-long-name-of-a-pod-in-a-test",
    ]) {
      const hash = hashes.replace(name);
      expect(hash).toMatch(dnsLabel);
      expect(hash.length).toBeLessThanOrEqual(name.length);
      expect(hashes.replace(name)).toBe(hash);
    }
  });

  test("are not the names", () => {
    // A fixed key, since a name of one or two characters may be its own hash.
    const hashes = new NameHashes(new Uint8Array(32));
    const names = ["a-very-long-name-of-a-pod-in-a-test", "web", "shop"];
    expect(names.map((name) => hashes.replace(name))).not.toEqual(names);
    expect(hashes.replace("shop/web")).not.toMatch(/shop|web/);
  });

  test("differ for all names of one and two characters", () => {
    const hashes = new NameHashes();
    const characters = "abcdefghijklmnopqrstuvwxyz0123456789".split("");
    const all = [...characters, ...characters.flatMap((a) => characters.map((b) => a + b))];
    const found = new Set(all.map((name) => hashes.replace(name)));
    expect(found.size).toBe(all.length);
  });

  test("have another key in each recording", () => {
    const name = "a-very-long-name";
    expect(new NameHashes().replace(name)).not.toBe(new NameHashes().replace(name));
  });

  test("keep what stands between names, and the names that every cluster has", () => {
    const hashes = new NameHashes();
    const hash = hashes.replace("team");
    expect(hashes.replace("kube-system/team")).toBe(`kube-system/${hash}`);
    expect(hashes.replace("team.default.svc.cluster.local")).toBe(
      `${hash}.default.svc.cluster.local`,
    );
  });
});

describe("redaction with hashes", () => {
  const pods = { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true };
  const services = { ...pods, resource: "services", kind: "Service" };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "canary-web-1",
      generateName: "canary-web-",
      namespace: "canary-team",
      uid: "0f1c2d3e-0000-4000-8000-000000000001",
      creationTimestamp: "2026-11-02T10:00:00Z",
      labels: { app: "canary-web", "kubernetes.io/hostname": "canary-node", index: "7" },
      annotations: { "example.com/about": "made for canary-web" },
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "ReplicaSet", name: "canary-web", uid: "0f1c2d3e" },
      ],
      finalizers: ["example.com/wait"],
    },
    spec: {
      nodeName: "canary-node",
      serviceAccountName: "canary-account",
      volumes: [{ name: "canary-volume", secret: { secretName: "canary-secret" } }],
      containers: [
        { name: "canary-c", image: "example.com/canary-image:1.2", imagePullPolicy: "Always" },
      ],
      topologySpreadConstraints: [
        {
          labelSelector: {
            matchExpressions: [{ key: "app", operator: "In", values: ["canary-web"] }],
          },
        },
      ],
    },
    status: {
      phase: "Running",
      podIP: "10.0.0.7",
      conditions: [{ type: "Ready", status: "True", message: "the pod canary-web-1 is up" }],
    },
  };

  function redact() {
    const hashes = new NameHashes();
    const { object } = new Redaction(pods, [], hashes).redact(pod);
    const service = new Redaction(services, [], hashes).redact({
      metadata: { name: "canary-web", namespace: "canary-team" },
      spec: { selector: { app: "canary-web" } },
    });
    return { hashes, object: object as any, service: service.object as any };
  }

  test("leaves no name in any place", () => {
    const { object, service } = redact();
    expect(JSON.stringify([object, service])).not.toContain("canary");
  });

  test("keeps owners, selectors and what is not a name", () => {
    const { hashes, object, service } = redact();
    expect(object.metadata.ownerReferences[0].name).toBe(hashes.replace("canary-web"));
    expect(object.metadata.labels.app).toBe(service.spec.selector.app);
    const [constraint] = object.spec.topologySpreadConstraints;
    expect(constraint.labelSelector.matchExpressions[0].values).toEqual([
      object.metadata.labels.app,
    ]);
    expect(object.metadata.namespace).toBe(service.metadata.namespace);
    expect(object).toMatchObject({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        uid: pod.metadata.uid,
        creationTimestamp: pod.metadata.creationTimestamp,
        finalizers: ["example.com/wait"],
      },
      spec: { containers: [{ imagePullPolicy: "Always" }] },
      status: {
        phase: "Running",
        podIP: "10.0.0.7",
        conditions: [{ type: "Ready", status: "True" }],
      },
    });
    expect(object.metadata.generateName).toMatch(/^[a-z0-9]+-$/);
  });
});
