import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ConfigError } from "listwatch";
import { connect, findClusterConfig, type FindClusterConfigOptions } from "listwatch/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFile } from "../support/tls-cluster.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "listwatch-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

function write(path: string, server: string): string {
  const file = join(home, path);
  writeFile(
    file,
    `apiVersion: v1
kind: Config
current-context: one
contexts:
- name: one
  context: { cluster: here, namespace: team, user: me }
- name: other
  context: { cluster: here, user: me }
clusters:
- name: here
  cluster: { server: "${server}" }
users:
- name: me
  user: { token: hunter2hunter2 }
`,
  );
  return file;
}

async function failureOf(options: FindClusterConfigOptions): Promise<string> {
  const failure = await findClusterConfig(options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigError);
  expect(String(failure)).not.toContain("hunter2");
  return String(failure);
}

describe("the locations", () => {
  test("are the files in KUBECONFIG first, then ~/.kube/config of HOME, then the pod (KCF-4)", async () => {
    const asked = write("asked", "https://asked");
    write(".kube/config", "https://of-home");
    const environment = { ...pod, HOME: home };
    const two = [join(home, "missing"), asked].join(delimiter);
    const found = await Promise.all([
      findClusterConfig({ environment: { ...environment, KUBECONFIG: two } }),
      findClusterConfig({ environment }),
      findClusterConfig({ environment: { ...environment, KUBECONFIG: "" } }),
      findClusterConfig({ environment, paths: [asked] }),
    ]);
    expect(found.map(({ server }) => server)).toEqual([
      "https://asked",
      "https://of-home",
      "https://of-home",
      "https://asked",
    ]);
    // The test does not run in a pod, so the search ends at the missing service account files.
    rmSync(join(home, ".kube"), { recursive: true });
    expect(await failureOf({ environment })).toContain("holds no service account");
  });

  test("count as missing when they are empty (KCF-4)", async () => {
    writeFile(join(home, ".kube/config"), "");
    expect(await failureOf({ environment: { ...pod, HOME: home } })).toContain(
      "Cannot connect as a pod",
    );
  });

  test("that were given explicitly are not skipped for another cluster (KCF-4)", async () => {
    write(".kube/config", "https://of-home");
    const missing = join(home, "missing");
    const environment = { ...pod, HOME: home };
    expect(await failureOf({ environment: { ...environment, KUBECONFIG: missing } })).toBe(
      `ConfigError: Cannot find a kubeconfig: there is no ${missing} (KUBECONFIG)`,
    );
    expect(await failureOf({ environment, paths: [missing] })).toBe(
      `ConfigError: Cannot find a kubeconfig: there is no ${missing}`,
    );
  });

  test("that were given explicitly and are empty are reported (KCF-3)", async () => {
    const [empty, missing] = [join(home, "empty"), join(home, "missing")];
    writeFile(empty, "");
    expect(await failureOf({ environment: { HOME: home, KUBECONFIG: empty } })).toBe(
      `ConfigError: Cannot find a kubeconfig: ${empty} is empty (KUBECONFIG)`,
    );
    expect(await failureOf({ paths: [empty, missing] })).toBe(
      `ConfigError: Cannot find a kubeconfig: there is no ${missing}, ${empty} is empty`,
    );
  });
});

describe("an error", () => {
  test("names the locations that were searched (KCF-3, KCF-4)", async () => {
    const place = join(home, ".kube/config");
    expect(await failureOf({ environment: { HOME: home } })).toBe(
      `ConfigError: Cannot find a cluster: KUBECONFIG is not set, there is no ${place}, and this is no pod, since KUBERNETES_SERVICE_HOST is not set`,
    );
  });

  test("names the contexts that exist (KCF-3)", async () => {
    write(".kube/config", "https://a");
    expect(await failureOf({ environment: { HOME: home }, context: "prod" })).toMatch(
      /there is no context "prod"; it has the contexts "one", "other"$/,
    );
  });

  test("states that a pod has no contexts (KCF-3)", async () => {
    expect(await failureOf({ environment: { ...pod, HOME: home }, context: "prod" })).toContain(
      `Cannot use the context "prod": there is no ${join(home, ".kube/config")}`,
    );
  });

  test("names file, line and column of invalid YAML, and shows none of it (KCF-3, AUTH-2)", async () => {
    const path = join(home, "broken");
    writeFile(path, "apiVersion: v1\nusers:\n- name: me\n  user:\n    token: 'hunter2hunter2\n");
    expect(await failureOf({ paths: [path] })).toMatch(
      new RegExp(
        `Cannot read the kubeconfig ${path}: its text cannot be parsed: line \\d, column \\d+ \\([A-Z_]+\\)$`,
      ),
    );
    writeFile(path, "clusters:\n\t- name: here\n");
    expect(await failureOf({ paths: [path] })).toContain("line 2, column 1 (TAB_AS_INDENT)");
  });
});

test("an entry may use YAML merge keys, like for kubectl", async () => {
  const path = join(home, "merged");
  writeFile(
    path,
    `current-context: one
contexts: [{ name: one, context: { cluster: b } }]
clusters:
- { name: a, cluster: &a { server: "https://a", tls-server-name: name } }
- { name: b, cluster: { <<: *a, server: "https://b" } }
`,
  );
  expect(await findClusterConfig({ paths: [path] })).toMatchObject({
    server: "https://b",
    serverName: "name",
  });
});

test("numbers are strings with the same digits, like for kubectl (KCF-2)", async () => {
  const path = join(home, "numbers");
  writeFile(
    path,
    `current-context: 1.10
contexts: [{ name: 1.10, context: { cluster: 0x1, namespace: 007, user: 5 } }]
clusters: [{ name: 0x1, cluster: { server: "https://a", insecure-skip-tls-verify: true } }]
users: [{ name: 5, user: { username: 12345678901234567890, password: 1e3 } }]
`,
  );
  expect(await findClusterConfig({ paths: [path] })).toMatchObject({
    namespace: "007",
    insecureSkipVerify: true,
    user: { username: "12345678901234567890", password: "1e3" },
  });
});

test("the namespace comes from the option, then the context, then is undefined (KCF-4)", async () => {
  const paths = [write("config", "https://a")];
  const namespaces = [
    await connect({ paths }),
    await connect({ paths, namespace: "mine" }),
    await connect({ paths, context: "other" }),
  ].map(({ namespace }) => namespace);
  expect(namespaces).toEqual(["team", "mine", undefined]);
});
