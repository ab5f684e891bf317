import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createConnection } from "@listwatch/client";
import { FakeApiServer, readRecording, Replay } from "@listwatch/fake-apiserver";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { diff } from "../../src/commands/node-diff.ts";
import { recordResources, type RecordOptions } from "../../src/recording/node-recorder.ts";

const maps = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
};
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "listwatch-record-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

async function setUp(options: Partial<RecordOptions> = {}) {
  const api = new FakeApiServer({ seed: 1 });
  const connection = createConnection({
    server: "http://fake",
    fetch: (request) => api.fetch(request),
  });
  const all = createClient(connection);
  const found = await all.discovery.forResource("configmaps");
  if (found === undefined) throw new Error("The server has no ConfigMaps");
  const client = all.resource(maps);
  const file = join(folder, "recording.ndjson");
  const stop = new AbortController();
  const record = () =>
    recordResources(
      {
        connection,
        resources: [found],
        includes: ["configmaps:data.open"],
        hashNames: false,
        file,
        onError: (_resource, error) => {
          throw error;
        },
        ...options,
      },
      stop.signal,
    );
  /** Resolves when the file has this many lines. */
  const written = async (lines: number): Promise<void> => {
    for (;;) {
      const text = await readFile(file, "utf8").catch(() => "");
      if (text.split("\n").length > lines) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const create = (name: string, data: Record<string, string> = {}) =>
    client.create({ metadata: { name, namespace: "default" }, data });
  return { api, client, connection, create, file, record, stop, written };
}

describe("a recorder", () => {
  test("writes lists and changes, which a fake API server plays again", async () => {
    const { client, create, file, record, stop, written } = await setUp();
    await create("one", { open: "yes", secret: "hidden" });
    const recording = record();
    // The header, the start of the list, its ConfigMaps.
    await written(3);
    await create("two");
    await written(4);
    await client.delete("default/one");
    await written(5);
    stop.abort();
    expect(await recording).toMatchObject({ lists: 1, changes: 2 });
    const text = await readFile(file, "utf8");
    expect(text).not.toContain("hidden");
    expect(text).toContain('"open":"yes"');
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({
      recording: 1,
      includes: ["configmaps:data.open"],
      hashedNames: false,
    });
    expect(text.trimEnd().split("\n").at(-1)).toContain('"type":"END"');

    const replay = new Replay(new FakeApiServer(), await readRecording(text.split("\n")), {
      speed: 1e6,
    });
    await replay.run();
    const answer = await replay.fetch("http://fake/api/v1/namespaces/default/configmaps");
    const { items } = (await answer.json()) as { items: { metadata: { name: string } }[] };
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toContain("two");
    expect(names).not.toContain("one");
  });

  test("hides names on request, and the file still plays", async () => {
    const { create, file, record, stop, written } = await setUp({ hashNames: true });
    await create("private-name");
    const recording = record();
    await written(3);
    stop.abort();
    await recording;
    const text = await readFile(file, "utf8");
    expect(text).not.toContain("private");
    const replay = new Replay(new FakeApiServer(), await readRecording(text.split("\n")));
    await replay.run();
    const answer = await replay.fetch("http://fake/api/v1/configmaps");
    const { items } = (await answer.json()) as { items: unknown[] };
    expect(items.length).toBeGreaterThanOrEqual(1);
  });

  test.each([
    [
      ["--at", "+1s", "--at", "+4s"],
      1,
      [
        "added    configmaps default/new",
        "changed  configmaps default/old  data.state first → second",
      ],
    ],
    [["--at", "+4s", "--at", "+5s"], 0, []],
    [
      ["--object", "configmaps/default/old"],
      0,
      [
        "2026-11-02T10:00:01.000Z      +1.000s LISTED",
        "2026-11-02T10:00:03.000Z      +3.000s MODIFIED data.state first → second",
      ],
    ],
    [["--object", "pods/default/old"], 1, []],
  ])("writes files that diff %j compares", async (args, code, lines) => {
    const { file } = await setUp();
    const object = (name: string, version: string, state: string) => ({
      metadata: { name, namespace: "default", resourceVersion: version },
      data: { state },
    });
    const all = [
      {
        recording: 1,
        startedAt: "2026-11-02T10:00:00Z",
        includes: [],
        hashedNames: false,
        resources: [{ ...maps, namespaced: true }],
      },
      { at: 0, type: "LIST", resource: 0, items: 0, resourceVersion: "1" },
      { at: 1000, type: "LIST", resource: 0, items: 1, resourceVersion: "1" },
      { at: 1000, type: "LISTED", resource: 0, object: object("old", "1", "first") },
      { at: 2000, type: "ADDED", resource: 0, object: object("new", "2", "") },
      { at: 3000, type: "MODIFIED", resource: 0, object: object("old", "3", "second") },
      { at: 9000, type: "END" },
    ];
    await writeFile(file, all.map((line) => JSON.stringify(line)).join("\n"));
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
    vi.spyOn(console, "error").mockImplementation(() => {});
    // Bun keeps the last code when it is set to undefined.
    process.exitCode = 0;
    await diff([file, ...args]);
    expect(printed).toEqual(lines);
    expect(process.exitCode).toBe(code);
    process.exitCode = 0;
  });

  test("never overwrites a file, which only its user can read", async () => {
    const { file, record, stop, written } = await setUp();
    const recording = record();
    await written(1);
    stop.abort();
    await recording;
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(record()).rejects.toThrow("EEXIST");
  });

  test("fails if the server refuses the first list", async () => {
    const { api, record } = await setUp();
    api.control.faults.add({
      match: { resource: "configmaps" },
      action: { type: "status", status: { code: 403, message: "not for you" } },
    });
    await expect(record()).rejects.toThrow("not for you");
  });
});
