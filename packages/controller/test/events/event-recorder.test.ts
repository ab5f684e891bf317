import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AlreadyRunningError } from "@listwatch/core-fifo";
import { EventRecorder, type EventNote } from "@listwatch/controller";
import { Cluster, checkIdle } from "../support/cluster.ts";

interface Event {
  readonly metadata: { readonly name: string };
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
    await cluster.clock.advance(0);
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

  test("counts repeats in a series: the second is written, the rest after six minutes of silence", async () => {
    recorder.event(note);
    await cluster.clock.advance(1000);
    recorder.event({ ...note, note: "It was slow again" });
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

  test("a stop writes the counts that are not written", async () => {
    for (let index = 0; index < 4; index += 1) recorder.event(note);
    await cluster.clock.advance(0);
    for (let index = 0; index < 4; index += 1) recorder.event(note);
    stop.abort();
    await running;
    expect((await events())[0]?.series?.count).toBe(8);
    recorder.event(note);
    expect(await events()).toHaveLength(1);
  });

  test("tries again every 10 s while the server cannot be reached, up to 12 times (EVT-1)", async () => {
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

  test("runs once, and a disposal writes what is left and ends the run", async () => {
    await expect(recorder.run()).rejects.toThrow(AlreadyRunningError);
    recorder.event(note);
    await recorder[Symbol.asyncDispose]();
    await running;
    expect(await events()).toHaveLength(1);
  });

  test("does not try again what the server refuses, and reports it", async () => {
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
});
