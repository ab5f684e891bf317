import { createClient } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { describe, expect, test } from "vitest";
import { replay, type Life, type Scenario, type Story } from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 20_000, convergeMs: 1000, quietMs: 30_000 } as const;
const plain: Story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] };
/** A pause or a frozen cache of a plain story lasts 32.5 s, a watch has its fault after 30 s. */
const late = { atMs: 15_000, id: 0, replica: 0 };
const watch = "replica-0 GET v1 configmaps watch #0";

/** Runs a program, and returns the seconds at which it has noted something. */
async function notedBy(
  start: (life: Life, note: () => void) => Promise<unknown>,
  story: Partial<Story>,
): Promise<readonly number[]> {
  const noted: number[] = [];
  const scenario: Scenario = {
    name: "a program",
    start: (life) => {
      const startMs = Date.UTC(2026, 0, 1);
      return start(life, () => void noted.push((life.clock.now() - startMs) / 1000));
    },
    actions: {
      create: ({ client, random }) => {
        const metadata = { namespace: "a", name: `x${Math.floor(random() * 1e6)}` };
        return client.resource(configmaps).create({ metadata });
      },
    },
  };
  await replay(scenario, { ...plain, ...story }, times);
  return noted;
}

/** Notes each event of a watch. */
async function inform({ clock, connection, log, random, signal }: Life, note: () => void) {
  await using factory = new SharedInformerFactory({
    connection,
    clock,
    log,
    informers: { random },
  });
  factory.informer(configmaps).addEventHandler({ onAdd: note });
  factory.start();
  await untilAborted(signal);
}

const create = (atMs: number, id = 0) => ({ id, name: "create", atMs });

describe("when the faults end", () => {
  test("a paused process goes on", async () => {
    const noted = await notedBy(
      async ({ clock, signal }, note) => {
        while (!signal.aborted) {
          await sleep(4000, { clock, signal }).catch(() => undefined);
          note();
        }
      },
      { upsets: [{ kind: "pause", ...late }] },
    );
    expect(noted.slice(0, 6)).toEqual([4, 8, 12, 20, 24, 28]);
  });

  test("a slow watch catches up, in its order, and is not slow any more", async () => {
    const faults = [{ fault: "watch-slow", request: watch }] as const;
    const actions = [create(15_000), create(16_000, 1), create(40_000, 2)];
    const noted = await notedBy(inform, { actions, faults });
    expect(noted.map(Math.floor)).toEqual([20, 20, 40]);
  });

  test("a late answer arrives", async () => {
    const noted = await notedBy(
      async ({ clock, connection, random, signal }, note) => {
        await sleep(15_000, { clock });
        await createClient(connection, { clock, random }).resource(configmaps).list();
        note();
        await untilAborted(signal);
      },
      { faults: [{ fault: "slow", request: "replica-0 GET v1 configmaps #0" }] },
    );
    expect(noted.map(Math.floor)).toEqual([20]);
  });

  test("the server's caches show the current state", async () => {
    const actions = [create(16_000)];
    const noted = await notedBy(inform, { actions, upsets: [{ kind: "stale-cache", ...late }] });
    expect(noted.map(Math.floor)).toEqual([20]);
  });

  test.each([
    "watch-end",
    "watch-expired",
    "watch-killed",
    "watch-reset",
    "watch-silence",
  ] as const)("the planned fault %s is dropped", async (fault) => {
    const actions = [create(40_000)];
    const noted = await notedBy(inform, { actions, faults: [{ fault, request: watch }] });
    expect(noted.map(Math.floor)).toEqual([40]);
  });
});
