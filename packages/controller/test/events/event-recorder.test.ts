import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection } from "@listwatch/client";
import { AlreadyRunningError } from "@listwatch/core-fifo";
import { EventRecorder, type EventNote } from "@listwatch/controller";
import { Cluster, checkIdle, server } from "../support/cluster.ts";

interface Event {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly note: string;
  readonly reason: string;
  readonly reportingController: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const reference = { group: "events.k8s.io", version: "v1", resource: "events" };
const path = "/apis/events.k8s.io/v1/namespaces/default/events";
const note: EventNote = {
  regarding: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "web", uid: "1" },
  },
  reason: "Restarted",
  action: "Restart",
  note: "It was slow",
};

let cluster: Cluster;
let recorder: EventRecorder;
let stop: AbortController;
let running: Promise<void>;
let errors: unknown[];

async function events(): Promise<Event[]> {
  const response = await cluster.api.fetch(new Request(`http://cluster${path}`));
  const answer: { items: Event[] } = await response.json();
  return answer.items;
}

beforeEach(() => {
  cluster = new Cluster();
  errors = [];
  stop = new AbortController();
  recorder = new EventRecorder({
    client: cluster.client,
    controller: "example.com/operator",
    instance: "pod-1",
    clock: cluster.clock,
    random: () => 0,
    onError: (error) => errors.push(error),
  });
  running = recorder.run(stop.signal);
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
  await running;
  checkIdle(cluster.clock);
});

describe("EventRecorder", () => {
  test("writes an event about an object", async () => {
    recorder.event(note);
    // Waits for the end of the run: a browser reads request bodies in separate tasks.
    stop.abort();
    await running;
    const [event] = await events();
    expect(event).toMatchObject({
      note: "It was slow",
      reason: "Restarted",
      type: "Normal",
      reportingController: "example.com/operator",
      reportingInstance: "pod-1",
      regarding: { kind: "Pod", name: "web", uid: "1" },
      eventTime: "2026-01-01T00:00:00.000000Z",
    });
    expect(errors).toEqual([]);
  });

  test("counts repeats in a series: the second is written, further ones after six quiet minutes", async () => {
    recorder.event(note);
    await cluster.clock.advance(1000);
    recorder.event(note);
    await cluster.clock.advance(0);
    expect((await events())[0]?.series?.count).toBe(2);
    for (let index = 0; index < 5; index += 1) recorder.event(note);
    await cluster.clock.advance(359_000);
    expect((await events())[0]?.series?.count).toBe(2);
    await cluster.clock.advance(1000);
    expect((await events())[0]?.series?.count).toBe(7);
    recorder.event(note);
    await cluster.clock.advance(0);
    expect(await events()).toHaveLength(2);
  });

  test("writes the second of a series immediately, also when more come during the first write (EVT-2)", async () => {
    cluster.api.control.faults.add({
      match: { resource: "events", method: "POST" },
      action: { type: "latency", ms: [1000, 1000] },
    });
    recorder.event(note);
    await cluster.clock.advance(100);
    recorder.event(note);
    recorder.event(note);
    await cluster.clock.advance(1000);
    expect((await events())[0]?.series?.count).toBe(3);
    recorder.event(note);
    await cluster.clock.advance(1000);
    expect((await events())[0]?.series?.count).toBe(3);
  });

  test("a series continues with a repeat during its last write (EVT-2)", async () => {
    for (let index = 0; index < 2; index += 1) recorder.event(note);
    await cluster.clock.advance(1000);
    recorder.event(note);
    cluster.api.control.faults.add({
      match: { resource: "events", method: "PATCH" },
      action: { type: "latency", ms: [1000, 1000] },
    });
    await cluster.clock.advance(360_500);
    recorder.event(note);
    await cluster.clock.advance(361_000);
    expect((await events()).map(({ series }) => series?.count)).toEqual([4]);
  });

  test("of 4096 events the least recent one is forgotten, not one that repeats (EVT-2)", async () => {
    const written: string[] = [];
    // The server stores nothing: the test is about the recorder's memory.
    const fetch = async ({ method }: Request): Promise<Response> => {
      written.push(method);
      return Response.json({}, { status: 201 });
    };
    const many = new EventRecorder({
      client: createClient(createConnection({ server, fetch })),
      controller: "example.com/operator",
      instance: "pod-1",
      clock: cluster.clock,
    });
    const stopped = many.run(stop.signal);
    many.event(note);
    for (let index = 0; index < 4096; index += 1) {
      const metadata = { namespace: "default", name: `pod-${index}` };
      many.event({ ...note, regarding: { ...note.regarding, metadata } });
      if (index === 100) many.event(note);
      if (index % 500 === 0) await cluster.clock.advance(0);
    }
    many.event(note);
    stop.abort();
    await stopped;
    const created = written.filter((method) => method === "POST");
    expect([created.length, written.length]).toEqual([4097, 4099]);
  });

  test("a stop writes the pending counts", async () => {
    for (let index = 0; index < 4; index += 1) recorder.event(note);
    await cluster.clock.advance(0);
    for (let index = 0; index < 4; index += 1) recorder.event(note);
    stop.abort();
    await running;
    expect((await events())[0]?.series?.count).toBe(8);
    recorder.event(note);
    expect(await events()).toHaveLength(1);
  });

  test("retries every 10 s while the server cannot be reached, up to 12 times (EVT-1)", async () => {
    const fault = cluster.api.control.faults.add({
      match: { resource: "events" },
      times: 11,
      action: { type: "reset" },
    });
    recorder.event(note);
    await cluster.clock.advance(110_000);
    expect(fault.fired).toBe(11);
    expect(await events()).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("runs once, and a disposal writes pending events and ends the run", async () => {
    await expect(recorder.run()).rejects.toThrow(AlreadyRunningError);
    recorder.event(note);
    await recorder[Symbol.asyncDispose]();
    await running;
    expect(await events()).toHaveLength(1);
  });

  test("does not retry an event that the server refuses, and reports it", async () => {
    cluster.api.control.faults.add({
      match: { resource: "events", method: "POST" },
      action: { type: "status", status: { code: 403, reason: "Forbidden" } },
    });
    recorder.event(note);
    await cluster.clock.advance(60_000);
    expect(errors).toMatchObject([{ httpCode: 403 }]);
    expect(
      await cluster.client
        .resource<Event>(reference)
        .get("default/web")
        .catch(() => "none"),
    ).toBe("none");
  });

  test("waits up to 10 s at random before the second attempt, then 10 to 12.5 s (EVT-1)", async () => {
    const waiting = new EventRecorder({
      client: cluster.client,
      controller: "example.com/operator",
      instance: "pod-1",
      clock: cluster.clock,
      random: () => 0.5,
    });
    const stopped = waiting.run(stop.signal);
    cluster.api.control.faults.add({
      match: { resource: "events" },
      times: 2,
      action: { type: "reset" },
    });
    const startMs = cluster.clock.now();
    waiting.event(note);
    await cluster.clock.advance(60_000);
    const times = cluster.api.control.recorder.list({ resource: "events", method: "POST" });
    expect(times.map(({ time }) => time - startMs)).toEqual([0, 5000, 16_250]);
    stop.abort();
    await stopped;
  });

  test("keeps different notes separate, and combines them from the tenth on (EVT-2)", async () => {
    for (let index = 1; index <= 14; index += 1) {
      recorder.event({ ...note, note: `Attempt ${index}` });
      await cluster.clock.advance(10);
    }
    const all = await events();
    expect(all.map((event) => event.note)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `Attempt ${index + 1}`),
      "(combined from similar events): Attempt 10",
    ]);
    await cluster.clock.advance(400_000);
    expect((await events()).at(-1)).toMatchObject({
      note: "(combined from similar events): Attempt 10",
      series: { count: 5 },
    });
    expect(errors).toEqual([]);
  });

  test("does not combine notes that come more than ten minutes apart (EVT-2)", async () => {
    for (let index = 1; index <= 12; index += 1) {
      recorder.event({ ...note, note: `Attempt ${index}` });
      await cluster.clock.advance(601_000);
    }
    expect((await events()).filter((event) => event.note.startsWith("("))).toEqual([]);
  });

  test("writes 25 events about an object at once, then one per five minutes, and reports the rest (EVT-2)", async () => {
    const record = (index: number): void =>
      recorder.event({ ...note, reason: `Reason${index}`, action: `Action${index}` });
    for (let index = 0; index < 60; index += 1) record(index);
    await cluster.clock.advance(1000);
    expect(await events()).toHaveLength(25);
    expect(errors).toHaveLength(35);
    expect(String(errors[0])).toMatch(
      /event about Pod default\/web: expected no more than 25 events at once, then one each 5 min/,
    );
    // Another object, and another type, have separate limits.
    recorder.event({ ...note, type: "Warning" });
    recorder.event({ ...note, regarding: { ...note.regarding, metadata: { name: "n" } } });
    await cluster.clock.advance(298_000);
    record(61);
    expect(errors).toHaveLength(36);
    await cluster.clock.advance(1000);
    record(62);
    await cluster.clock.advance(1000);
    expect(errors).toHaveLength(36);
    expect(await events()).toHaveLength(28);
  });

  test("repeats of one event do not count towards that limit", async () => {
    for (let index = 0; index < 1000; index += 1) recorder.event(note);
    recorder.event({ ...note, reason: "Other" });
    await cluster.clock.advance(400_000);
    expect(errors).toEqual([]);
    expect((await events()).map(({ reason, series }) => [reason, series?.count])).toEqual([
      ["Restarted", 1000],
      ["Other", undefined],
    ]);
  });

  test("writes annotations", async () => {
    recorder.event({ ...note, annotations: { "example.com/trace": "1" } });
    await cluster.clock.advance(0);
    expect((await events())[0]?.metadata.annotations).toEqual({ "example.com/trace": "1" });
  });

  test("an event that was created despite a lost response gets its count patched", async () => {
    cluster.api.control.faults.add({
      match: { resource: "events", method: "POST" },
      action: { type: "commitThenFail" },
    });
    recorder.event(note);
    await cluster.clock.advance(0);
    recorder.event(note);
    await cluster.clock.advance(20_000);
    expect(errors).toEqual([]);
    expect((await events()).map(({ series }) => series?.count)).toEqual([2]);
  });

  test("an event that is deleted, and exists again when it is recreated, is patched (EVT-1)", async () => {
    recorder.event(note);
    await cluster.clock.advance(0);
    cluster.api.control.faults.add({
      match: { resource: "events", method: "PATCH" },
      action: { type: "status", status: { code: 404, reason: "NotFound" } },
    });
    recorder.event(note);
    await cluster.clock.advance(1000);
    expect(errors).toEqual([]);
    expect((await events()).map(({ series }) => series?.count)).toEqual([2]);
  });

  test("an event of another instance with the same name is not touched", async () => {
    const second = new EventRecorder({
      client: cluster.client,
      controller: "example.com/operator",
      instance: "pod-2",
      clock: cluster.clock,
      random: () => 0,
      onError: (error) => errors.push(error),
    });
    const stopped = second.run(stop.signal);
    recorder.event(note);
    second.event({ ...note, note: "The other one" });
    await cluster.clock.advance(1000);
    expect((await events()).map((event) => event.note).toSorted()).toEqual([
      "It was slow",
      "The other one",
    ]);
    expect(errors).toEqual([]);
    stop.abort();
    await stopped;
  });

  test.each(["system:node", "Upper", "", "a".repeat(250)])(
    "an object named %j, which cannot begin an event's name, gets events with generated names (EVT-3)",
    async (name) => {
      recorder.event({
        ...note,
        regarding: { ...note.regarding, metadata: { namespace: "default", name } },
      });
      await cluster.clock.advance(0);
      expect(errors).toEqual([]);
      expect((await events()).map(({ metadata }) => metadata.name)).toEqual([
        expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      ]);
    },
  );

  test("the name of an event consists of the object's name and the time in hexadecimal (EVT-3)", async () => {
    recorder.event(note);
    await cluster.clock.advance(0);
    expect((await events())[0]?.metadata.name).toMatch(/^web\.[\da-f]+$/);
  });

  test.each([undefined, ""])(
    "an event about an object without a namespace (%j) is in the namespace default",
    async (namespace) => {
      const metadata = { name: "node-1", namespace };
      const regarding = { apiVersion: "v1", kind: "Node", metadata };
      recorder.event({ ...note, regarding });
      await cluster.clock.advance(0);
      expect(errors).toEqual([]);
      expect(await events()).toHaveLength(1);
    },
  );

  test("the type requires an action, as the server does", () => {
    // @ts-expect-error -- no action
    const incomplete: EventNote = { regarding: note.regarding, reason: "Restarted" };
    expect(incomplete.reason).toBe("Restarted");
  });
});
