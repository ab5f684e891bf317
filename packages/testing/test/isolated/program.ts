import { createClient } from "@listwatch/client";
import type { Life } from "../../src/index.ts";
import { marks } from "./state.ts";

/** Creates one object for all lives of a module: it remembers that in the module. */
export async function start({ clock, connection, random, signal }: Life): Promise<void> {
  const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
  const client = createClient(connection, { clock, random }).resource(maps);
  if (marks.length === 0) {
    marks.push("created");
    const draft = { metadata: { namespace: "a", generateName: "mark-" } };
    await client.create(draft).catch(() => undefined);
  }
  if (!signal.aborted) await new Promise((resolve) => (signal.onabort = resolve));
}
