import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import type { LogFields } from "@listwatch/core-fifo";

/** The exports of {@link program}. */
interface Program {
  /** Runs an informer whose index function throws, and returns the warnings in its log. */
  run(): Promise<readonly (readonly [message: string, fields: LogFields])[]>;
}

const program = `
  import { silentLog } from "@listwatch/core-fifo";
  import { SharedInformer } from "@listwatch/shared-informer";

  export async function run() {
    const lines = [];
    await using informer = new SharedInformer({
      listerWatcher: {
        watchListSupported: false,
        list: async () => ({
          metadata: { resourceVersion: "1" },
          items: [{ metadata: { name: "a", resourceVersion: "1" } }],
        }),
        watch: (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      },
      indexers: { node: ({ spec }) => spec.nodeName },
      telemetry: { log: { ...silentLog, warn: (...line) => lines.push(line) } },
    });
    void informer.run();
    await informer.synced;
    return lines;
  }
`;

/** Bundles the program as users do: minified, without unused modules. */
async function bundleInto(dir: string): Promise<string> {
  const entry = resolve("program.ts");
  const bundle = await rolldown({
    input: entry,
    platform: "neutral",
    resolve: { conditionNames: ["@listwatch/source", "import"] },
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
  });
  await bundle.write({ dir, format: "es", minify: true, entryFileNames: "program.mjs" });
  return join(dir, "program.mjs");
}

test("a bundled informer logs the advice of the errors of its index functions", async () => {
  const dir = mkdtempSync(join(tmpdir(), "bundled-advice-"));
  try {
    const file = await bundleInto(dir);
    const bundled = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Program;
    expect(await bundled.run()).toMatchObject([
      [
        "Cache update failed",
        {
          cause: { code: "LW_INDEX_FUNCTION", indexName: "node", key: "a" },
          advice: expect.stringMatching(/^Let the index function return no values/),
        },
      ],
    ]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
