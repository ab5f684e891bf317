import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Answer } from "../../support/api-client.ts";

const label = "pod-security.kubernetes.io/";
const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

/** A server whose namespace `n` has these labels. */
async function start(
  labels: Record<string, string>,
  options: ConstructorParameters<typeof FakeApiServer>[0] = {},
): Promise<ApiClient> {
  const client = new ApiClient(new FakeApiServer({ seed: 1, ...options }));
  const named = Object.entries(labels).map(([name, value]) => [`${label}${name}`, value]);
  const metadata = { name: "n", labels: Object.fromEntries(named) };
  await client.call("POST", "/api/v1/namespaces", { metadata });
  return client;
}

function createPod(client: ApiClient, spec: object): Promise<Answer> {
  return client.call("POST", "/api/v1/namespaces/n/pods", {
    metadata: { name: "p" },
    spec: { containers: [{ name: "a", image: "i" }], ...spec },
  });
}

function withContext(securityContext: object): object {
  return { containers: [{ name: "a", image: "i", securityContext }] };
}

// Messages recorded from kube-apiserver 1.36.3.
describe("pod security (EFF-5)", () => {
  test("the restricted standard names everything that a plain pod lacks", async () => {
    const client = await start({ enforce: "restricted" });
    const { body, status } = await createPod(client, {});

    expect(status).toBe(403);
    expect(body["message"]).toBe(
      'pods "p" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
  });

  test("a pod that follows it is accepted", async () => {
    const client = await start({ enforce: "restricted", warn: "restricted" });
    const { headers, status } = await createPod(client, withContext(safe));

    expect(status).toBe(201);
    expect(headers.get("warning")).toBeNull();
  });

  test.each<[string, object, string]>([
    [
      "host namespaces",
      { hostNetwork: true, hostPID: true },
      "host namespaces (hostNetwork=true, hostPID=true)",
    ],
    [
      "volumes of the host",
      { volumes: [{ name: "v", hostPath: { path: "/x" } }] },
      'hostPath volumes (volume "v")',
    ],
    [
      "ports of the host",
      {
        containers: [
          {
            name: "a",
            image: "i",
            ports: [
              { containerPort: 80, hostPort: 80 },
              { containerPort: 81, hostPort: 9 },
            ],
          },
        ],
      },
      'hostPort (container "a" uses hostPorts 80, 9)',
    ],
    [
      "capabilities",
      withContext({ capabilities: { add: ["SYS_ADMIN", "CHOWN", "NET_ADMIN"] } }),
      'non-default capabilities (container "a" must not include "NET_ADMIN", "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      "SELinux",
      {
        ...withContext({ seLinuxOptions: { type: "x", user: "u", role: "r" } }),
        securityContext: { seLinuxOptions: { type: "spc_t" } },
      },
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: types "spc_t", "x"; user may not be set; role may not be set)',
    ],
    [
      "seccomp",
      withContext({ seccompProfile: { type: "Unconfined" } }),
      'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      "AppArmor",
      withContext({ appArmorProfile: { type: "Unconfined" } }),
      'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
    ],
    [
      "sysctls",
      { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } },
      "forbidden sysctls (kernel.msgmax)",
    ],
    [
      "hosts of probes",
      {
        containers: [
          { name: "a", image: "i", livenessProbe: { httpGet: { host: "h", port: 80 } } },
        ],
      },
      'probe or lifecycle host (container "a" uses probe or lifecycle host "h")',
    ],
    [
      "privileged containers",
      withContext({ privileged: true }),
      'privileged (container "a" must not set securityContext.privileged=true)',
    ],
  ])("the baseline standard forbids %s", async (_what, spec, problem) => {
    const client = await start({ enforce: "baseline" });

    expect((await createPod(client, spec)).body["message"]).toBe(
      `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${problem}`,
    );
  });

  test("with separate user namespaces pods may run as root, from 1.35 on", async () => {
    const spec = withContext({ ...safe, runAsNonRoot: undefined, runAsUser: 0 });
    const [now, before] = await Promise.all(
      ["latest", "v1.34"].map(async (version) => {
        const client = await start({ enforce: "restricted", "enforce-version": version });
        return createPod(client, { ...spec, hostUsers: false });
      }),
    );

    expect(now?.status).toBe(201);
    expect(before?.body["message"]).toContain(
      'runAsUser=0 (container "a" must not set runAsUser=0)',
    );
  });

  test("warnings are returned for pods and for workloads", async () => {
    const client = await start({ warn: "baseline" });
    const spec = { containers: [{ name: "a", image: "i" }], hostIPC: true };
    const pod = await createPod(client, spec);
    const workload = await client.call("POST", "/apis/apps/v1/namespaces/n/deployments", {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { app: "d" } },
        template: { metadata: { labels: { app: "d" } }, spec },
      },
    });

    const warning =
      String.raw`299 - "would violate PodSecurity \"baseline:latest\": ` +
      'host namespaces (hostIPC=true)"';
    expect([pod.status, workload.status]).toEqual([201, 201]);
    expect(pod.headers.get("warning")).toBe(warning);
    expect(workload.headers.get("warning")).toBe(warning);
  });

  test("existing pods are validated again only when their images change", async () => {
    const client = await start({});
    await createPod(client, {});
    const labels = { [`${label}enforce`]: "restricted" };
    const enforced = await client.call("PATCH", "/api/v1/namespaces/n", { metadata: { labels } });
    const pod = "/api/v1/namespaces/n/pods/p";
    const labelled = await client.call("PATCH", pod, { metadata: { labels: { a: "b" } } });
    const changed = await client.call(
      "PATCH",
      pod,
      { spec: { containers: [{ name: "a", image: "j" }] } },
      { headers: { "content-type": "application/strategic-merge-patch+json" } },
    );

    const quoted = (text: string): string => `299 - ${JSON.stringify(text)}`;
    expect(enforced.headers.get("warning")).toBe(
      [
        'existing pods in namespace "n" violate the new PodSecurity enforce level ' +
          '"restricted:latest"',
        "p: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, " +
          "seccompProfile",
      ]
        .map(quoted)
        .join(", "),
    );
    expect(labelled.status).toBe(200);
    expect(changed.status).toBe(403);
  });

  test("a label with an unknown standard is rejected", async () => {
    const client = await start({});
    const labels = { [`${label}enforce`]: "bad", [`${label}warn-version`]: "3" };
    const { body, status } = await client.call("PATCH", "/api/v1/namespaces/n", {
      metadata: { labels },
    });

    expect(status).toBe(422);
    expect(body["message"]).toBe(
      `Namespace "n" is invalid: [metadata.labels[${label}enforce]: Invalid value: "bad": must be one of privileged, baseline, restricted, metadata.labels[${label}warn-version]: Invalid value: "3": must be "latest" or "v1.x"]`,
    );
  });

  test("nothing is validated without validation", async () => {
    const client = await start({ enforce: "restricted" }, { validation: "off" });

    expect((await createPod(client, {})).status).toBe(201);
  });
});
