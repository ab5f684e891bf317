import {
  ControlInputError,
  type FaultAction,
  FakeApiServer,
  type FaultRule,
  type RequestMatch,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";

function start() {
  const server = new FakeApiServer({ seed: 1 });
  return { server, control: server.control, client: new ApiClient(server) };
}

describe("an invalid fault is rejected when it is set", () => {
  const actions: readonly (readonly [message: string, action: unknown])[] = [
    ["action.status.code, got 99", { type: "status", status: { code: 99 } }],
    ["action.status.code, got 204", { type: "status", status: { code: 204 } }],
    [
      "action.status.retryAfterSeconds, got -1",
      { type: "status", status: { code: 429, retryAfterSeconds: -1 } },
    ],
    ["action.status, got 1000", { type: "respond", status: 1000 }],
    ["action.body, got", { type: "respond", status: 204, body: "x" }],
    ["action.headers, got", { type: "respond", status: 200, headers: { "a b": "x" } }],
    ["action.set, got", { type: "headers", set: { "a b": "x" } }],
    ["action.type, got", { type: "explode" }],
    ["bytesPerSecond, got 0", { type: "slow", bytesPerSecond: 0 }],
    ["action.ms, got -1", { type: "latency", ms: -1 }],
    ["action.ms, got [2,1]", { type: "latency", ms: [2, 1] }],
    ["action.ms, got NaN", { type: "delayEvents", ms: Number.NaN }],
    ["shape.bytes, got 0", { type: "split", shape: { bytes: 0 } }],
    ["shape.events, got 0", { type: "split", shape: { events: 0 } }],
    ["at.afterBytes, got -1", { type: "truncate", at: { afterBytes: -1 } }],
    ["at.inside", { type: "truncate", at: { inside: "word" } }],
    ["action.after.events, got 0.5", { type: "end", after: { events: 0.5 } }],
    ["action.with.code, got 0", { type: "commitThenFail", with: { code: 0 } }],
  ];
  test.each(actions)("%s", async (message, action) => {
    const { control, client } = start();
    const add = () => control.faults.add({ action: action as FaultAction });
    expect(add).toThrow(ControlInputError);
    expect(add).toThrow(message);
    expect(add).toThrow(expect.objectContaining({ code: "LW_INVALID_CONTROL" }));
    expect((await client.get(configMaps)).status).toBe(200);
  });

  const timings: readonly (readonly [message: string, when: FaultRule<FaultAction>["when"]])[] = [
    ["when.probability, got 5", { probability: 5 }],
    ["when.probability, got NaN", { probability: Number.NaN }],
    ["when.nth, got 0", { nth: [1, 0] }],
    ["when.skip, got -1", { skip: -1 }],
  ];
  test.each(timings)("%s", (message, when) => {
    const { control } = start();
    expect(() => control.faults.add({ when, action: { type: "reset" } })).toThrow(message);
  });

  test.each([0, -1, 0.5, Number.NaN])("times, got %s", (times) => {
    const { control } = start();
    expect(() => control.faults.add({ times, action: { type: "reset" } })).toThrow(
      `times, got ${times}`,
    );
  });

  const rules: readonly (readonly [message: string, rule: unknown])[] = [
    ["Unknown field match.verbs", { match: { verbs: "list" }, action: { type: "reset" } }],
    [
      'Expected one of get, list, watch, create, update, patch, delete, deletecollection in match.verb, got "lists"',
      { match: { verb: "lists" }, action: { type: "reset" } },
    ],
    ["a text or a list of texts in match.resource, got 5", { match: { resource: 5 } }],
    ["a text or null in match.query.limit, got 5", { match: { query: { limit: 5 } } }],
    ["Expected a number in action.status.code, got nothing", { action: { type: "status" } }],
    ["in action.type, got nothing", {}],
    ["Unknown field time", { time: 2, action: { type: "reset" } }],
    ["Unknown field when.nht", { when: { nht: 2 }, action: { type: "reset" } }],
    ["a function in when.condition, got true", { when: { condition: true } }],
    ["Expected an object, got nothing", undefined],
  ];
  test.each(rules)("%s", (message, rule) => {
    const { control } = start();
    const add = () => control.faults.add(rule as FaultRule<never>);
    expect(add).toThrow(ControlInputError);
    expect(add).toThrow(message);
    expect(() => control.illegal.faults.add(rule as FaultRule<never>)).toThrow(ControlInputError);
    expect(control.faults.list()).toEqual([]);
  });

  test("and undefined members count as absent", () => {
    const { control } = start();
    const match = { verb: undefined, query: { limit: null } };
    const when = { nth: undefined, condition: () => true };
    const misspelt = { tims: undefined };
    control.faults.add({ match, when, action: { type: "reset" }, times: Infinity, ...misspelt });
    const cut = { type: "truncate", at: { afterBytes: 3, inside: "line" } } as const;
    control.faults.add({ action: cut });
    control.faults.add({ action: { type: "commitThenFail", with: "reset" } });
    expect(control.faults.list()).toHaveLength(3);
  });

  test("also an illegal fault", () => {
    const { faults } = start().control.illegal;
    const add = (action: unknown) => faults.add({ action } as Parameters<typeof faults.add>[0]);
    expect(() => add({ type: "explode" })).toThrow("action.type");
    expect(() => add({ type: "regressRevision", by: -1 })).toThrow("action.by, got -1");
  });

  test("and an open watch rejects the same values", async () => {
    const { control, client } = start();
    await client.watch(`${configMaps}?watch=1`);
    const [watch] = control.watches.list();
    expect(() => watch?.slow(0)).toThrow(ControlInputError);
    expect(() => watch?.split({ bytes: 0 })).toThrow(ControlInputError);
    expect(() => watch?.truncate({ afterBytes: -1 })).toThrow(ControlInputError);
    expect(() => watch?.sendError({ code: 99 })).toThrow(ControlInputError);
    watch?.end();
  });
});

test("a match with an unknown field is rejected everywhere", async () => {
  const { control } = start();
  const match: RequestMatch = { verbs: "list" } as object;
  const refused = expect.objectContaining({ code: "LW_INVALID_CONTROL" });
  expect(() => control.recorder.list(match)).toThrow(refused);
  expect(() => control.watches.list(match)).toThrow(refused);
  expect(() => control.watches.reset(match)).toThrow("Unknown field match.verbs");
  expect(() => control.expireMidList({ match })).toThrow(refused);
  await expect(control.when.requestServed(match)).rejects.toThrow(refused);
});

describe("front ends", () => {
  test.each([-1, 0.5, Number.NaN, 3_000_000])(
    "reject a route to %s, without side effects",
    async (to) => {
      const { control, client } = start();
      expect(() => control.frontEnds.route(to)).toThrow(
        `integer from 0 to 99 in front end, got ${to}`,
      );
      expect(() => control.frontEnds.at(to)).toThrow(ControlInputError);
      expect((await client.get(configMaps)).status).toBe(200);
    },
  );

  test("reject an invalid lag", () => {
    const { control } = start();
    expect(() => control.frontEnds.at(0).lag(-5)).toThrow("revisions, got -5");
  });
});

describe("a user-supplied function that throws", () => {
  test("as the condition of a fault: returns 500, and nothing stays in flight", async () => {
    const { control, client } = start();
    const condition = () => {
      throw new Error("broken condition");
    };
    control.faults.add({ when: { condition }, action: { type: "reset" } });
    const { status, body } = await client.get(configMaps);
    expect([status, body["message"]]).toEqual([500, expect.stringContaining("broken condition")]);
    control.faults.clear();
    await control.when.idle();
  });

  test("as the condition of an illegal fault: returns 500, and nothing stays in flight", async () => {
    const { control, client } = start();
    const condition = () => {
      throw new Error("broken condition");
    };
    control.illegal.faults.add({ when: { condition }, action: { type: "dropEvents" } });
    expect((await client.get(`${configMaps}?watch=1`)).status).toBe(500);
    control.illegal.faults.clear();
    await control.when.idle();
  });

  test("or routes to no front end returns 500, and nothing stays in flight", async () => {
    const { control, client } = start();
    control.frontEnds.route(() => -1);
    expect((await client.get(configMaps)).status).toBe(500);
    control.frontEnds.route(0);
    expect((await client.get(configMaps)).status).toBe(200);
    await control.when.idle();
  });
});
