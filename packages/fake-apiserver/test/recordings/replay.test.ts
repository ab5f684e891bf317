import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import {
  FakeApiServer,
  readRecording,
  Replay,
  type Divergence,
  type ReplayOptions,
} from "../../src/index.ts";

const startedAt = "2026-11-02T10:00:00.000Z";

const header = {
  recording: 1,
  startedAt,
  includes: [],
  hashedNames: false,
  resources: [
    { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true },
    {
      group: "example.com",
      version: "v1",
      resource: "widgets",
      kind: "Widget",
      namespaced: true,
    },
  ],
};

function map(name: string, version: number, data: Record<string, string> = {}) {
  return {
    metadata: {
      name,
      namespace: "a",
      uid: `uid-of-${name}`,
      resourceVersion: String(version),
      creationTimestamp: "2026-11-02T09:00:00Z",
    },
    data,
  };
}

const lines = [
  { at: 10, type: "LIST", resource: 0, items: 2, resourceVersion: "5" },
  { at: 10, type: "LISTED", resource: 0, object: map("one", 3) },
  { at: 10, type: "LISTED", resource: 0, object: map("two", 4) },
  { at: 20, type: "LIST", resource: 1, items: 1, resourceVersion: "5" },
  { at: 20, type: "LISTED", resource: 1, object: { ...map("w", 5), spec: { size: 1 } } },
  { at: 1000, type: "MODIFIED", resource: 0, object: map("one", 6, { state: "second" }) },
  { at: 2000, type: "ADDED", resource: 0, object: map("three", 7) },
  { at: 3000, type: "DELETED", resource: 0, object: map("two", 8) },
  { at: 4000, type: "LIST", resource: 0, items: 1, resourceVersion: "9" },
  { at: 4000, type: "LISTED", resource: 0, object: map("three", 9, { relisted: "yes" }) },
  { at: 5000, type: "END" },
];

function texts(all: readonly object[] = [header, ...lines]): readonly string[] {
  return all.map((line) => JSON.stringify(line));
}

async function setUp(options: ReplayOptions = {}) {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock, seed: 1 });
  const replay = new Replay(server, await readRecording(texts()), options);
  const send = async (path: string, init?: RequestInit) => {
    const answer = await replay.fetch(`http://localhost${path}`, init);
    return { status: answer.status, body: (await answer.json()) as Record<string, any> };
  };
  const maps = async () => {
    const { body } = await send("/api/v1/namespaces/a/configmaps");
    return (body["items"] as any[]).map(({ metadata, data }) => [metadata.name, data ?? {}]);
  };
  return { clock, replay, send, maps };
}

const end = { at: 9000, type: "END" };
const listed = { at: 10, type: "LISTED", resource: 0, object: map("one", 3) };

function list(resource: number, items: number, at = 10): object {
  return { at, type: "LIST", resource, items, resourceVersion: "5" };
}

function listedAs(members: object): object {
  return { ...listed, object: { ...listed.object, ...members } };
}

const path = "/api/v1/namespaces/a/configmaps";
const json = { "content-type": "application/json" };

describe("a replay", () => {
  test("stores the first lists at once, with uids and creation times", async () => {
    const { maps, replay, send } = await setUp();
    await replay.load();
    expect(await maps()).toEqual([
      ["one", {}],
      ["two", {}],
    ]);
    const { body } = await send(`${path}/one`);
    expect(body["metadata"]).toMatchObject({
      uid: "uid-of-one",
      creationTimestamp: "2026-11-02T09:00:00Z",
    });
  });

  test("plays changes at their times, and what a later list lacks as deletes", async () => {
    const { clock, maps, replay } = await setUp();
    const running = replay.run();
    await clock.advance(999);
    expect(await maps()).toHaveLength(2);
    await clock.advance(1);
    expect(await maps()).toContainEqual(["one", { state: "second" }]);
    await clock.advance(2000);
    expect((await maps()).map(([name]) => name)).toEqual(["one", "three"]);
    await clock.advance(1000);
    expect(await maps()).toEqual([["three", { relisted: "yes" }]]);
    await clock.advance(1000);
    await running;
  });

  test("plays faster with a speed", async () => {
    const { clock, maps, replay } = await setUp({ speed: 10 });
    void replay.run();
    await clock.advance(100);
    expect(await maps()).toContainEqual(["one", { state: "second" }]);
  });

  test.each(["+2s", "2026-11-02T10:00:02Z"])("begins with the state at %s", async (at) => {
    const { clock, maps, replay } = await setUp({ at });
    await replay.load();
    expect((await maps()).map(([name]) => name)).toEqual(["one", "three", "two"]);
    void replay.run();
    await clock.advance(1000);
    expect((await maps()).map(([name]) => name)).toEqual(["one", "three"]);
  });

  test("reports recorded changes to watches, under the server's versions", async () => {
    const { clock, replay, send } = await setUp();
    await replay.load();
    const { body } = await send(path);
    const version = body["metadata"].resourceVersion as string;
    const watch = await replay.fetch(
      `http://localhost${path}?watch=1&resourceVersion=${version}&timeoutSeconds=10`,
    );
    void replay.run();
    await clock.advance(11_000);
    const events = (await watch.text())
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(events.map(({ object, type }) => [type, object.metadata.name])).toEqual([
      ["MODIFIED", "one"],
      ["ADDED", "three"],
      ["DELETED", "two"],
      ["MODIFIED", "three"],
      ["DELETED", "one"],
    ]);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(versions[0]).toBeGreaterThan(Number(version));
  });

  test("serves custom resources whose definition was not recorded", async () => {
    const { replay, send } = await setUp();
    await replay.load();
    const { body, status } = await send("/apis/example.com/v1/namespaces/a/widgets/w");
    expect([status, body["spec"]]).toEqual([200, { size: 1 }]);
  });

  test("refuses writes with 405 and a line, and answers reviews", async () => {
    const warned: string[] = [];
    const log = {
      debug() {},
      info() {},
      error() {},
      warn: (text: string) => void warned.push(text),
    };
    const { replay, send } = await setUp({ log });
    await replay.load();
    const refused = await send(`${path}/one`, { method: "DELETE" });
    expect([refused.status, refused.body["message"]]).toEqual([
      405,
      `the server replays a recording and refuses writes: delete ${path}/one`,
    ]);
    expect(warned).toHaveLength(1);
    const review = await send("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ spec: { resourceAttributes: { verb: "get", resource: "pods" } } }),
    });
    expect(review.status).toBe(201);
    expect(await send(`${path}/one`)).toMatchObject({ status: 200 });
  });

  test("leaves out changes of objects that a client has written, and reports both", async () => {
    const divergences: Divergence[] = [];
    const { clock, maps, replay, send } = await setUp({
      writes: "apply",
      onDivergence: (divergence) => divergences.push(divergence),
    });
    await replay.load();
    const { body } = await send(`${path}/one`);
    const mine = JSON.stringify({ ...body, data: { state: "mine" } });
    expect(await send(`${path}/one`, { method: "PUT", headers: json, body: mine })).toMatchObject({
      status: 200,
    });
    const own = JSON.stringify({ metadata: { name: "three" }, data: { state: "own" } });
    await send(path, { method: "POST", headers: json, body: own });
    const running = replay.run();
    await clock.advance(3000);
    expect(await maps()).toEqual([
      ["one", { state: "mine" }],
      ["three", { state: "own" }],
    ]);
    expect(
      divergences.map(({ at, key, recorded, resource, stored }) => [
        at,
        resource,
        key,
        recorded?.["data"],
        stored?.["data"],
      ]),
    ).toEqual([
      [1000, "configmaps", "a/one", { state: "second" }, { state: "mine" }],
      [2000, "configmaps", "a/three", {}, { state: "own" }],
    ]);
    expect(replay.divergences).toBe(2);
    await clock.advance(10_000);
    await running;
  });

  test("plays nothing more when its signal is aborted", async () => {
    const { clock, maps, replay } = await setUp();
    const stop = new AbortController();
    const running = replay.run(stop.signal);
    await clock.advance(1000);
    stop.abort();
    await running;
    await clock.advance(10_000);
    expect((await maps()).map(([name]) => name)).toEqual(["one", "two"]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("refuses unknown options and moments before the start", async () => {
    await expect(setUp({ speed: 0 })).rejects.toThrow("speed");
    await expect(setUp({ at: "2026-11-02T09:59:59Z" })).rejects.toThrow("Expected a time from");
    await expect(setUp({ at: "3m" })).rejects.toThrow("Expected a moment such as +3m12s");
  });

  test("refuses a moment after the end of the recording", async () => {
    const { replay } = await setUp({ at: "+99h" });
    await expect(replay.load()).rejects.toThrow(
      'Expected a moment until +5000ms, the end of the recording, got "+99h"',
    );
  });

  test("names the line of an object that the server cannot store", async () => {
    const named = listedAs({ metadata: { ...listed.object.metadata, name: "Not a name" } });
    const server = new FakeApiServer({ clock: new SimulatedClock(), seed: 1 });
    const replay = new Replay(server, await readRecording(texts([header, list(0, 1), named, end])));
    await expect(replay.load()).rejects.toThrow("Cannot read line 3 of the recording: ");
  });

  test("warns of a recording that is cut off", async () => {
    const warnings: string[] = [];
    const log = { debug() {}, info() {}, warn: (text: string) => warnings.push(text), error() {} };
    const server = new FakeApiServer({ clock: new SimulatedClock(), seed: 1 });
    const play = async (all: readonly string[]): Promise<void> =>
      new Replay(server, await readRecording(all), { log, speed: 1e6 }).load();
    await play(texts([header, list(0, 0), end]));
    expect(warnings).toEqual([]);
    await play(texts([header, list(0, 0)]));
    expect(warnings).toEqual([expect.stringContaining("The recording is cut off")]);
  });
});

describe("a recording", () => {
  async function readAll(all: readonly string[]) {
    const { lines: read } = await readRecording(all);
    const found = [];
    for await (const line of read) found.push(line);
    return found;
  }

  test("is read without the half line of a recorder that was killed", async () => {
    const cut = texts().slice(0, 4);
    expect(await readAll([...cut, '{"at":20,"ty'])).toHaveLength(3);
  });

  test("is read up to a repeated list that is cut off", async () => {
    const cut = texts([header, list(0, 1), listed, list(0, 2), listed]);
    expect(await readAll(cut)).toHaveLength(4);
  });

  test("is read with the byte order mark and the line ends of an editor", async () => {
    const [first = "", ...rest] = texts();
    const edited = [`\uFEFF${first}`, ...rest].map((line) => `${line}\r`);
    expect(await readAll(edited)).toHaveLength(lines.length);
  });

  test.each([
    [[], "line 1 of the recording: expected a header, got an empty file"],
    [["kind: Pod"], 'line 1 of the recording: expected JSON, got "kind: Pod"'],
    [['{"kind":"Pod"}'], "line 1 of the recording: expected the header"],
    [['{"recording":2}'], "expected version 1 of the format, got 2"],
    [[...texts([header]), "nonsense", "{}"], "line 2 of the recording: expected JSON"],
    [texts([header, { at: 1, type: "ADDED", resource: 9 }]), "expected an index below 2, got 9"],
    [texts([header, { at: -1, type: "END" }]), "at: expected milliseconds, got -1"],
    [
      texts([header, list(0, 0, 5), list(1, 0, 4)]),
      "line 3 of the recording: expected a time of at least 5 ms, got 4",
    ],
    [texts([header, list(0.5, 0)]), "resource: expected an index below 2, got 0.5"],
    [texts([header, list(0, -1)]), "items: expected a number, got -1"],
    [
      texts([header, end]).slice(0, 1),
      "line 1 of the recording: expected a LIST after it, got the",
    ],
    [
      texts([header, list(0, 3), listed, listed]),
      "line 4 of the recording: expected 3 objects of the list of configmaps in line 2, got 2 and",
    ],
    [texts([header, list(0, 3), listed, end]), "got 1 and the end"],
    [texts([header, list(0, 3), listed, list(0, 1)]), "got 1 and a line of type LIST"],
    [texts([header, listed]), "expected a LIST of configmaps before, got LISTED"],
    [texts([header, { ...listed, type: "ADDED" }]), "expected a LIST of configmaps before, got AD"],
    [
      texts([header, list(0, 1), listedAs({ kind: "Pod" })]),
      'line 3 of the recording: object.kind: expected "ConfigMap", got "Pod"',
    ],
    [texts([header, list(0, 1), listedAs({ apiVersion: "v2" })]), 'expected "v1", got "v2"'],
    [
      texts([header, list(0, 1), listedAs({ metadata: { namespace: "a" } })]),
      "object.metadata.name: expected a name, got none",
    ],
    [
      texts([header, list(0, 1), listedAs({ metadata: { name: "a" } })]),
      "object.metadata.namespace: expected a name, got none",
    ],
    [texts([header, { at: 1, type: "OTHER", resource: 0 }]), 'type: unknown "OTHER"'],
  ])("with unusable lines is refused: %#", async (all, message) => {
    await expect(readAll(all)).rejects.toThrow(message);
  });

  test("has changes, with deletes of what a repeated list lacks", async () => {
    const { changes } = await readRecording(texts());
    const found = [];
    for await (const { at, key, resource, type } of changes) found.push([at, type, resource, key]);
    expect(found.slice(-4)).toEqual([
      [2000, "ADDED", "configmaps", "a/three"],
      [3000, "DELETED", "configmaps", "a/two"],
      [4000, "LISTED", "configmaps", "a/three"],
      [4000, "DELETED", "configmaps", "a/one"],
    ]);
    expect(found).toContainEqual([20, "LISTED", "widgets.example.com", "a/w"]);
  });

  test("has moments since its start, and as times", async () => {
    const recording = await readRecording(texts());
    expect(recording.moment("+3m12s")).toBe(192_000);
    expect(recording.moment("+1h500ms")).toBe(3_600_500);
    expect(recording.moment("2026-11-02T10:01:00Z")).toBe(60_000);
  });
});
