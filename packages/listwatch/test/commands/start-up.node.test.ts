import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const program = join(import.meta.dirname, "../../src/node-cli.ts");

/** Reports the loaded modules on standard error at the first output, and exits. */
const reporter = `
import { registerHooks } from "node:module";
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
process.stdout.write = () => {
  process.stdout.write = () => true;
  process.stderr.write(JSON.stringify(urls), () => process.exit(0));
  return true;
};`;

/** Returns the packages, and the commands of this one, that are loaded before the first output. */
async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(reporter)}`;
  const options = ["--conditions=@listwatch/source", "--import", hook, program, ...args];
  const child = spawn("node", options, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const urls = JSON.parse(await text(child.stderr)) as readonly string[];
  const parts = urls.map((url) => {
    const [, command] = /listwatch\/src\/commands\/(.+)\.ts$/.exec(url) ?? [];
    const [, name = "listwatch"] = /\/(?:packages|node_modules)\/([^/]+)\//.exec(url) ?? [];
    return command ?? name;
  });
  return [...new Set(parts)].filter((part) => part !== "listwatch").toSorted();
}

describe("before its first output", () => {
  test.each([["--help"], ["--version"]])(
    "listwatch %s loads no command and no layer",
    async (arg) => {
      expect(await loadedBy(arg)).toEqual(["node-usage-error"]);
    },
  );

  test("the help of a command loads that command, and no layer", async () => {
    const shared = ["node-arguments", "node-cluster", "node-usage-error"];
    expect(await loadedBy("watch", "--help")).toEqual([...shared, "node-watch"].toSorted());
  });

  test("watch loads the informer and its dependencies, and neither the fake server nor YAML", async () => {
    await using listener = await listen(new FakeApiServer());
    expect(await loadedBy("watch", "namespaces", "--server", listener.url)).toEqual([
      "client",
      "core-fifo",
      "describe-changes",
      "node-arguments",
      "node-cluster",
      "node-follow",
      "node-print-event",
      "node-usage-error",
      "node-watch",
      "reflector",
      "shared-informer",
      "store-indexer",
    ]);
  });
});
