import { createClient, isNetworkError, isStatusError } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test } from "vitest";
import {
  replay,
  type ClusterState,
  type Life,
  type RequestFault,
  type Story,
  type WatchFault,
  type WebhookFault,
} from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

const draft = { metadata: { namespace: "a", name: "b" } };
const options = { chaosMs: 100_000, convergeMs: 60_000, quietMs: 1000 } as const;

type Faults = NonNullable<Story["faults"]>;

function storyOf(faults: Faults, upsets: Story["upsets"] = []): Story {
  return { seed: 1, order: "plain", actions: [], upsets, faults };
}

/** Creates an object with one fault. Returns the outcome, and whether the object was there. */
async function createWith(fault: RequestFault): Promise<readonly [string, boolean]> {
  let outcome = "no answer in a minute";
  let isStored = false;
  const start = async ({ clock, connection, number, signal }: Life): Promise<void> => {
    if (number > 0) return untilAborted(signal);
    const startedMs = clock.now();
    const client = createClient(connection, { clock, retries: 0, timeoutMs: Infinity });
    await client
      .resource(configmaps)
      .create(draft, { signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]) })
      .then(() => (outcome = clock.now() - startedMs > 5000 ? "late" : "answered"))
      .catch((error: unknown) => {
        if (isStatusError(error)) outcome = String(error.httpCode);
        else if (isNetworkError(error, "connection-reset")) outcome = "reset";
      });
    await untilAborted(signal);
  };
  const watch = (state: ClusterState): boolean => {
    // A second life creates it, too.
    if (state.nowMs < 50) isStored = state.get(configmaps, "a/b") !== undefined;
    return false;
  };
  const faults = [{ request: "replica-0 POST v1 a/configmaps #0", fault }];
  await replay({ name: fault, start, never: { nothing: watch } }, storyOf(faults), options);
  return [outcome, isStored];
}

test.each<readonly [RequestFault, string, boolean]>([
  ["reset", "reset", false],
  ["lost-answer", "reset", true],
  ["429", "429", false],
  ["500", "500", false],
  ["503", "503", false],
  ["silence", "no answer in a minute", true],
  ["slow", "late", true],
  ["killed-before", "no answer in a minute", false],
  ["killed-after", "no answer in a minute", true],
])("a request with the fault %s ends with %s; stored: %s", async (fault, outcome, isStored) => {
  expect(await createWith(fault)).toEqual([outcome, isStored]);
});

/** Follows a watch with one fault, and then asks for what came before. An object is created. */
async function watchWith(fault: WatchFault): Promise<readonly string[]> {
  const seen: string[] = [];
  const start = async ({ clock, connection, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock }).resource(configmaps);
    const { resourceVersion } = await maps.list();
    const first = await maps.create({ metadata: { namespace: "a", name: "first" } });
    const watchFrom = (version = ""): Promise<Response> => {
      const url = `http://cluster/api/v1/configmaps?watch=true&resourceVersion=${version}`;
      return connection.fetch(new Request(url, { signal }));
    };
    const { body } = await watchFrom(first.metadata.resourceVersion);
    clock.setTimeout(() => void maps.create(draft), 40_000);
    const startedMs = clock.now();
    try {
      for await (const piece of body ?? [])
        if (piece.length > 0) seen.push(clock.now() - startedMs > 45_000 ? "late" : "event");
      seen.push("end");
    } catch (error) {
      seen.push(signal.aborted ? "nothing more" : String((error as { code?: unknown }).code));
    }
    const reader = (await watchFrom(resourceVersion)).body?.getReader();
    const piece = new TextDecoder().decode((await reader?.read())?.value);
    seen.push(piece.includes('"code":410') ? "the history has expired" : "the history is there");
    await untilAborted(signal);
  };
  const faults = [{ request: "replica-0 GET v1 configmaps watch #0", fault }];
  const scenario = { name: fault, start: (life: Life) => start(life).catch(() => undefined) };
  await replay(scenario, storyOf(faults), options);
  return seen;
}

test.each<readonly [WatchFault, readonly string[]]>([
  ["watch-reset", ["ECONNRESET", "the history is there"]],
  ["watch-end", ["end", "the history is there"]],
  ["watch-silence", ["nothing more"]],
  ["watch-slow", ["late", "nothing more"]],
  ["watch-expired", ["end", "the history has expired"]],
])("a watch with the fault %s brings %s", async (fault, expected) => {
  expect(await watchWith(fault)).toEqual(expected);
});

test("a process that is killed reaches nothing any more, and starts again", async () => {
  const lives: string[] = [];
  const start = async ({ clock, connection, number, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock }).resource(configmaps);
    clock.setTimeout(() => lives.push(`timer of ${number}`), 70_000);
    // In flight when the process is killed, half a millisecond after its start.
    await maps.create({ metadata: { namespace: "a", name: `life-${number}` } });
    lives.push(`answer of ${number}`);
    await untilAborted(signal);
  };
  let isFirstStored = false;
  const never = {
    nothing: (state: ClusterState): boolean => {
      isFirstStored ||= state.get(configmaps, "a/life-0") !== undefined;
      return false;
    },
  };
  const upsets = [{ id: 0, kind: "kill", atMs: 0.5, replica: 0 }] as const;
  await replay({ name: "kill", start, never }, storyOf([], upsets), options);
  expect(lives).toEqual(["answer of 1", "timer of 1"]);
  expect(isFirstStored).toBe(false);
});

test("a process that is paused gets its timers and answers late, in their order", async () => {
  const seen: string[] = [];
  const start = async ({ clock, connection, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock, retries: 0 }).resource(configmaps);
    const startedMs = clock.now();
    const note = (what: string): void =>
      void seen.push(`${what} ${clock.now() - startedMs > 30_000 ? "late" : "in time"}`);
    clock.setTimeout(() => note("first timer"), 5000);
    clock.setTimeout(() => {
      maps.create(draft).then(
        () => note("answer"),
        () => note("reset"),
      );
    }, 9999);
    clock.setTimeout(() => note("second timer"), 20_000);
    await untilAborted(signal);
  };
  const upsets = [{ id: 0, kind: "pause", atMs: 10_000, replica: 0 }] as const;
  const faults = [{ request: "replica-0 POST v1 a/configmaps #0", fault: "reset" }] as const;
  await replay({ name: "pause", start }, storyOf(faults, upsets), options);
  expect(seen).toEqual(["first timer in time", "reset late", "second timer late"]);
});

test("a process is killed by an event, which it does not see", async () => {
  const lives: string[] = [];
  const start = async ({ clock, connection, number, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock }).resource(configmaps);
    const url = "http://cluster/api/v1/configmaps?watch=true&resourceVersion=0";
    const { body } = await connection.fetch(new Request(url, { signal }));
    if (number === 0) clock.setTimeout(() => void maps.create(draft), 40_000);
    try {
      for await (const piece of body ?? []) lives.push(`${number} sees ${piece.length > 0}`);
    } catch {
      await untilAborted(signal);
    }
  };
  const faults = [
    { request: "replica-0 GET v1 configmaps watch #0", fault: "watch-killed" },
  ] as const;
  await replay({ name: "watch-killed", start }, storyOf(faults), options);
  expect(lives).toEqual(["1 sees true"]);
});

test("a clock that jumps differs from that of the cluster, also after a restart", async () => {
  const seen: number[] = [];
  const start = async ({ clock, number, signal }: Life): Promise<void> => {
    const difference = (): void => void seen.push(Math.round(clock.now() - Date.now()));
    difference();
    clock.setTimeout(difference, 10_000);
    await untilAborted(signal);
    if (number > 0) difference();
  };
  const upsets = [
    { id: 3, kind: "clock-skew", atMs: 5000, replica: 0 },
    { id: 1, kind: "restart", atMs: 20_000, replica: 0 },
  ] as const;
  const story = { ...storyOf([], upsets), order: "random" } as const;
  await replay({ name: "clock-skew", start }, story, options);
  const [before, skew = 0, ...later] = seen;
  expect(before).toBe(0);
  expect(Math.abs(skew)).toBeGreaterThan(100);
  expect(new Set(later)).toEqual(new Set([skew]));
});

test("a stale cache shows the past to watches and cached reads, and not to writes", async () => {
  const seen: string[] = [];
  const start = async ({ clock, connection, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock }).resource(configmaps);
    await sleep(6000, { clock });
    await maps.create(draft);
    const count = async (version?: string): Promise<number> => {
      const query = version === undefined ? "" : `?resourceVersion=${version}`;
      const url = `http://cluster/api/v1/configmaps${query}`;
      const answer = await connection.fetch(new Request(url, { signal }));
      return ((await answer.json()) as { items: unknown[] }).items.length;
    };
    seen.push(`${await count("0")} of ${await count()}`);
    await sleep(60_000, { clock });
    seen.push(`${await count("0")} of ${await count()}`);
    await untilAborted(signal);
  };
  const upsets = [{ id: 0, kind: "stale-cache", atMs: 5000, replica: 0 }] as const;
  await replay({ name: "stale-cache", start }, storyOf([], upsets), options);
  expect(seen).toEqual(["0 of 1", "1 of 1"]);
});

const webhookConfiguration = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "check" },
  webhooks: [
    {
      name: "check.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      timeoutSeconds: 10,
      clientConfig: { service: { namespace: "system", name: "check", path: "/check" } },
      rules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
      ],
    },
  ],
};

test.each<readonly [WebhookFault | undefined, string]>([
  [undefined, "created"],
  ["webhook-reset", "refused"],
  ["webhook-500", "refused"],
  ["webhook-silence", "refused after 10 s"],
])("a webhook with the fault %s means that a write is %s", async (fault, expected) => {
  let outcome = "";
  const start = async ({ clock, connection, signal }: Life): Promise<void> => {
    const maps = createClient(connection, { clock, retries: 0 }).resource(configmaps);
    const startedMs = clock.now();
    outcome = await maps.create(draft).then(
      () => "created",
      () => (clock.now() - startedMs > 9000 ? "refused after 10 s" : "refused"),
    );
    await untilAborted(signal);
  };
  const webhook = async (request: Request): Promise<Response> => {
    const review = (await request.json()) as { request: { uid: string } };
    const response = { uid: review.request.uid, allowed: true };
    return Response.json({ ...review, request: undefined, response });
  };
  const faults = fault === undefined ? [] : [{ request: "server webhook /check #0", fault }];
  const scenario = { name: "webhooks", objects: [webhookConfiguration], start, webhook };
  await replay(scenario, storyOf(faults), options);
  expect(outcome).toBe(expected);
});
