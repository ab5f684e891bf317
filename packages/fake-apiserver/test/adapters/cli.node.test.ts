import { spawn, type ChildProcess } from "node:child_process";
import { lstat, mkdtemp, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const command = fileURLToPath(new URL("../../src/adapters/node-cli.ts", import.meta.url));
// The command is a Node program, also when the test runs on Deno or Bun.
const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fake-apiserver-test-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

interface Run {
  readonly process: ChildProcess;
  /** Resolves with standard output when it contains the text, or when the process has ended. */
  until(text: string): Promise<string>;
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
}

function run(...options: readonly string[]): Run {
  const child = spawn(node, ["--conditions=@listwatch/source", command, ...options]);
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    for (const listener of listeners) listener();
  });
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const { promise: ended, resolve } = Promise.withResolvers<{
    code: number | null;
    output: string;
    errors: string;
  }>();
  child.on("close", (code) => resolve({ code, output, errors }));
  const until = async (text: string): Promise<string> => {
    const { promise, resolve: found } = Promise.withResolvers<void>();
    const look = (): void => {
      if (output.includes(text)) found();
    };
    listeners.add(look);
    look();
    await Promise.race([promise, ended]);
    listeners.delete(look);
    return output;
  };
  return { process: child, until, ended };
}

/** Starts a server, passes its URL to a callback, stops it with Ctrl-C, and returns its exit code. */
async function withServer(
  options: readonly string[],
  use: (url: string, output: string) => Promise<void>,
): Promise<number | null> {
  const kubeconfig = join(folder, "kubeconfig");
  const server = run("--port", "0", "--kubeconfig", kubeconfig, ...options);
  const output = await server.until("KUBECONFIG");
  const url = /http:\S+/.exec(output)?.[0];
  if (url === undefined) throw new Error(`No URL: ${(await server.ended).errors}`);
  await use(url, output);
  // Not with `child.kill`: Deno would report the signal, whatever the exit code is.
  process.kill(server.process.pid ?? 0, "SIGINT");
  return (await server.ended).code;
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

const json = async (url: string) => (await fetch(url)).json();

describe("the command", () => {
  test("prints its connection details as JSON", async () => {
    const load = await file("loaded.yaml", configMap("loaded"));
    const server = run("--port", "0", "--json", "--namespaces", "permissive", "--load", load);
    const output = await server.until("}");
    const started: unknown = JSON.parse(output);
    expect(started).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      kubeconfig: expect.stringContaining("kubeconfig"),
      loaded: 1,
    });
    process.kill(server.process.pid ?? 0, "SIGINT");
    expect((await server.ended).code).toBe(0);
  });

  test("prints its URL, writes a kubeconfig, ends watches cleanly and exits with 0 on Ctrl-C", async () => {
    let watch: Promise<string> | undefined;
    const code = await withServer([], async (url, output) => {
      expect(output).toMatch(/^Fake API server listening on http:\/\/127\.0\.0\.1:\d+\n/);
      expect(await readFile(join(folder, "kubeconfig"), "utf8")).toContain(`server: ${url}`);
      expect(await json(`${url}/api/v1/configmaps`)).toMatchObject({ kind: "ConfigMapList" });
      watch = (await fetch(`${url}/api/v1/secrets?watch=1`)).text();
    });
    expect(code).toBe(0);
    expect(await watch).toBe("");
  });

  test("rejects pages of other origins except those of --cors", async () => {
    await withServer(["--cors", "http://app.example"], async (url) => {
      const from = async (origin: string): Promise<number> =>
        (await fetch(`${url}/version`, { headers: { origin } })).status;
      expect([await from("http://app.example"), await from("http://b.example")]).toEqual([
        200, 403,
      ]);
    });
  });

  test("prints with --help that it never overwrites a foreign kubeconfig, and starts nothing", async () => {
    const { code, output, errors } = await run("--help").ended;
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/a file\s+that another program wrote, is never overwritten/);
  });

  test("loads definitions, then objects, from files and folders", async () => {
    const nested = join(folder, "manifests", "nested");
    await mkdir(nested, { recursive: true });
    await writeFile(
      join(folder, "manifests", "a.yaml"),
      `---\n# a comment\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n---\n${configMap("a")}---\n`,
    );
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "other", uid: "printed", resourceVersion: "77" },
      spec: { containers: [{ name: "c", image: "i" }] },
      status: { phase: "Running" },
    };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } };
    const list = { apiVersion: "v1", kind: "List", items: [pod, namespace] };
    await writeFile(join(nested, "b.json"), JSON.stringify(list));
    await writeFile(join(nested, "notes.txt"), "no manifest");
    const options = ["--crd", await file("crd.yaml", widgets), "--load", join(folder, "manifests")];
    await withServer(options, async (url, output) => {
      expect(output).toContain("Loaded 5 objects");
      const widget = await json(`${url}/apis/example.com/v1/namespaces/default/widgets/w`);
      expect(widget).toMatchObject({ kind: "Widget" });
      const stored = await json(`${url}/api/v1/namespaces/other/pods/p`);
      expect(stored).toMatchObject({ status: { phase: "Running" } });
      expect(stored).toMatchObject({ metadata: { uid: "printed" } });
      const map = await json(`${url}/api/v1/namespaces/default/configmaps/a`);
      expect(map).toMatchObject({ metadata: { name: "a" } });
    });
  });

  test("prints warnings of the server on standard error, with their position", async () => {
    const text = "{apiVersion: v1, kind: Endpoints, metadata: {name: old}}";
    const path = await file("endpoints.yaml", text);
    const server = run("--port", "0", "--load", path);
    await server.until("export KUBECONFIG");
    server.process.kill("SIGINT");
    const { errors } = await server.ended;
    const place = `Warning: ${path}:1: Endpoints "old": `;
    const warning = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n";
    expect(errors).toBe(`${place}${warning}`);
  });

  test("starts without what cannot be loaded, with --load-errors warn, and with other ranges", async () => {
    const service = (name: string, more = "") =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}${more}}\nspec: {ports: [{port: 80}]}\n`;
    const dumped = ", uid: u, creationTimestamp: '2020-01-01T00:00:00Z'";
    const texts = [service("a"), configMap("Bad_Name"), service("b", dumped)];
    const load = ["--load", await file("some.yaml", texts.join("---\n")), "--load-errors", "warn"];
    const ranges = ["--service-cidr", "10.96.0.0/12,fd00::/112"];
    await withServer([...load, ...ranges, "--load-now"], async (url, output) => {
      expect(output).toContain("Loaded 2 objects");
      const { items } = await json(`${url}/api/v1/namespaces/default/services`);
      const of = (name: string) =>
        items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name);
      expect(of("kubernetes").spec.clusterIP).toBe("10.96.0.1");
      expect(of("a").spec.clusterIP).toBe("10.96.0.2");
      expect(of("b").metadata.uid).toBe("u");
      expect(of("b").metadata.creationTimestamp).not.toMatch(/^2020/);
    });
  });

  test("repeats uids with --seed", async () => {
    const uid = async () => {
      let found: unknown;
      const options = ["--seed", "7", "--load", await file("seeded.yaml", configMap("a"))];
      await withServer(options, async (url) => {
        found = await json(`${url}/api/v1/namespaces/default/configmaps/a`);
      });
      return (found as { metadata: { uid: string } }).metadata.uid;
    };
    expect(await uid()).toBe(await uid());
  });

  test("serves the server control only with --control", async () => {
    await withServer([], async (url) => {
      expect((await fetch(`${url}/__control/revision`)).status).toBe(404);
    });
    await withServer(["--control"], async (url) => {
      expect(await json(`${url}/__control/revision`)).toMatchObject({
        revision: expect.any(Number),
      });
    });
  });
});

describe("a server that is reachable from other machines", () => {
  test("warns, and requires a token for the server control", async () => {
    const server = run("--port", "0", "--host", "0.0.0.0", "--control", "--allow-remote-control");
    const output = await server.until("KUBECONFIG");
    const [, port] = /http:.*:(\d+)/.exec(output) ?? [];
    const [, token] = /^Control token: ([0-9a-f]{64})$/m.exec(output) ?? [];
    const url = `http://127.0.0.1:${port}/__control/revision`;
    const status = async (authorization?: string): Promise<number> =>
      (await fetch(url, authorization === undefined ? {} : { headers: { authorization } })).status;
    expect([
      await status(),
      await status("Bearer 0"),
      await status(`Bearer ${token}0`),
      await status(`Bearer ${token}`),
    ]).toEqual([401, 401, 401, 200]);
    expect((await fetch(`http://127.0.0.1:${port}/version`)).status).toBe(200);
    process.kill(server.process.pid ?? 0, "SIGINT");
    const { code, errors } = await server.ended;
    expect(code).toBe(0);
    expect(errors).toMatch(/^Warning: every machine that reaches 0\.0\.0\.0 can .*\n$/);
  });

  test.each([
    [
      ["--host", "0.0.0.0", "--control"],
      /^2: .*Expected --allow-remote-control with --control on 0/,
    ],
    [["--host", "::", "--control"], /^2: .*Expected --allow-remote-control/],
    [["--allow-remote-control"], /^2: .*Expected --control with --allow-remote-control$/],
  ])("does not start with %j", async (options, message) => {
    const { code, output, errors } = await run("--port", "0", ...options).ended;
    expect(`${code}: ${output}${errors.trimEnd()}`).toMatch(message);
  });
});

describe("the kubeconfig", () => {
  test("is in a private folder by default", async () => {
    const server = run("--port", "0");
    const output = await server.until("KUBECONFIG");
    const [, path = ""] = /KUBECONFIG=(.*)/.exec(output) ?? [];
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    process.kill(server.process.pid ?? 0, "SIGINT");
    await server.ended;
    await expect(stat(dirname(path))).rejects.toThrow("ENOENT");
  });

  test("at a given path is written with mode 0600, also over its last version", async () => {
    const path = join(folder, "again");
    await writeFile(path, "# Written by fake-apiserver\nold: true\n", { mode: 0o644 });
    await withServer(["--kubeconfig", path], async () => {
      expect(await readFile(path, "utf8")).toContain("current-context: fake");
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  test("is never written through a link", async () => {
    const target = join(folder, "target");
    const path = join(folder, "link");
    await symlink(target, path);
    const { code, errors } = await run("--port", "0", "--kubeconfig", path).ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/Cannot write the kubeconfig: .* is a link\n$/);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    await expect(stat(target)).rejects.toThrow("ENOENT");
  });
});

describe("errors print one line on standard error, with exit code 1", () => {
  const failure = async (...options: readonly string[]): Promise<string> => {
    const { code, output, errors } = await run(
      "--port",
      "0",
      "--kubeconfig",
      join(folder, "k"),
      ...options,
    ).ended;
    return `${code}: ${output}${errors.replace(/\n$/, "")}`;
  };

  test("a port in use", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => {
      blocker.listen(0, "127.0.0.1", resolve);
    });
    const { port } = blocker.address() as AddressInfo;
    expect(await failure("--port", String(port))).toBe(
      `1: fake-apiserver: Cannot listen on 127.0.0.1:${port}: the port is taken`,
    );
    blocker.close();
  });

  test("a missing manifest", async () => {
    expect(await failure("--load", join(folder, "missing.yaml"))).toMatch(
      /^1: .*missing\.yaml: No such file or folder$/,
    );
  });

  test("invalid YAML, with its line", async () => {
    const path = await file("broken.yaml", `${configMap("a")}---\nkind: [\n`);
    expect(await failure("--load", path)).toMatch(/^1: .*broken\.yaml:[67]: .+$/);
  });

  test("an object without kind, with its line", async () => {
    const path = await file("kindless.yaml", `${configMap("a")}---\napiVersion: v1\n`);
    expect(await failure("--load", path)).toMatch(
      /^1: .*kindless\.yaml:6: Expected the text field kind$/,
    );
  });

  test("an object that the server rejects, with its line and the server's message", async () => {
    const path = await file("refused.yaml", `${configMap("a")}---\n${configMap("Not_A_Name")}`);
    expect(await failure("--load", path)).toMatch(
      /^1: .*refused\.yaml:6: ConfigMap "Not_A_Name" was refused: .*invalid.*$/,
    );
  });

  test("all objects that the server rejects, a line for each", async () => {
    const path = await file("both.yaml", `${configMap("A_")}---\n${configMap("B_")}`);
    const lines = (await failure("--load", path)).split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^1: fake-apiserver: document 1 of .*both\.yaml:1: ConfigMap "A_" /),
      expect.stringMatching(/^fake-apiserver: document 2 of .*both\.yaml:6: ConfigMap "B_" /),
    ]);
  });

  test("an item of a List, with the item's line", async () => {
    const item = (name: string) =>
      `  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: ${name}}\n`;
    const badItem = item("Bad_Name").replaceAll(/^/gm, "  ");
    const inner = `  - apiVersion: v1\n    kind: List\n    items:\n${badItem}`;
    const list = (items: string) => `apiVersion: v1\nkind: List\nitems:\n${items}`;
    const refused = await file("list.yaml", list(item("a") + item("Bad_Name")));
    expect(await failure("--load", refused)).toMatch(/^1: .*list\.yaml:7: ConfigMap "Bad_Name" /);
    const nested = await file("nested.yaml", list(item("a") + inner.trimEnd()));
    expect(await failure("--load", nested)).toMatch(/^1: .*nested\.yaml:10: ConfigMap "Bad_Name" /);
    const jsonList = await file(
      "list.json",
      '{"apiVersion": "v1", "kind": "List", "items": [\n{"apiVersion": "v1"}\n]}',
    );
    expect(await failure("--load", jsonList)).toMatch(
      /^1: .*list\.json:2: Expected the text field kind/,
    );
  });

  test("an item of a List behind an alias, with the line of the list", async () => {
    const alias = "apiVersion: v1\nkind: List\nmetadata: &list\n  kind: x\nitems: [*list]\n";
    expect(await failure("--load", await file("alias.yaml", alias))).toMatch(
      /^1: .*alias\.yaml:5: Expected the text field apiVersion$/,
    );
  });

  test("a kind that is not served", async () => {
    const path = await file("unknown.yaml", "apiVersion: example.com/v1\nkind: Gadget\n");
    expect(await failure("--load", path)).toMatch(
      /^1: .*unknown\.yaml:1: Gadget "" was refused: no resource of kind Gadget .*$/,
    );
  });

  test("another kind under --crd", async () => {
    const path = await file("not-crd.yaml", configMap("a"));
    expect(await failure("--crd", path)).toMatch(
      /^1: .*not-crd\.yaml:1: Expected a CustomResourceDefinition, got ConfigMap$/,
    );
  });

  test("unknown options and impossible ports (exit code 2)", async () => {
    expect(await failure("--prot", "1")).toMatch(/^2: .*Unknown option '--prot'.*$/);
    expect(await failure("--port", "70000")).toMatch(/^2: .*Expected --port .*, got 70000$/);
    expect(await failure("--validation", "half")).toMatch(/^2: .*full or off, got half$/);
    expect(await failure("--load-errors", "no")).toMatch(/^2: .*fail or warn, got no$/);
    expect(await failure("--service-cidr", "x")).toMatch(/^1: .*services\.ranges.*$/);
    expect(await failure("--namespaces", "no")).toMatch(/^2: .*strict or permissive, got no$/);
  });

  test("a foreign kubeconfig, which is not changed", async () => {
    const path = join(folder, "foreign-config");
    await writeFile(path, "kind: Config\n");
    expect(await failure("--kubeconfig", path)).toMatch(/^1: .*was not written by fake-apiserver$/);
    expect(await readFile(path, "utf8")).toBe("kind: Config\n");
  });

  test("a kubeconfig that cannot be written", async () => {
    const path = join(folder, "no", "folder");
    expect(await failure("--kubeconfig", path)).toMatch(/^1: .*Cannot write the kubeconfig: .*$/);
  });
});
