import { sleep } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import {
  replay,
  simulate,
  SimulationError,
  type Life,
  type Scenario,
  type Story,
} from "../src/index.ts";
import { asking } from "./support/asking.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 20_000, convergeMs: 20_000, quietMs: 60_000 } as const;
const plain: Story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] };
const cause = new TypeError("cannot read 'spec' of undefined");

type Program = (life: Life) => Promise<unknown>;

/** Simulates a program without faults, and returns its failure. */
async function failureOf(start: Program, more: Partial<Scenario> = {}): Promise<SimulationError> {
  const scenario = { name: "a program", start: asking(start), ...more };
  const work = simulate(scenario, { ...times, seeds: 2, faults: "none" });
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof SimulationError) return error;
  throw new Error("nothing was found", { cause: error });
}

// The page of a test runner reports an error that nothing catches before a simulation sees it.
const isPage = "document" in globalThis;

/** Ways of a program to crash a second after its start. */
const ways: Readonly<Record<string, Program>> = {
  "its promise rejects": async ({ clock }) => {
    await sleep(1000, { clock });
    throw cause;
  },
  "a timer throws": ({ clock, signal }) => {
    clock.setTimeout(() => {
      throw cause;
    }, 1000);
    return untilAborted(signal);
  },
  "a timer of the runtime throws": ({ signal }) => {
    setTimeout(() => {
      throw cause;
    }, 1000);
    return untilAborted(signal);
  },
};

/** The same, with an error that nothing catches. */
const uncaught: Readonly<Record<string, Program>> = {
  "a promise that it does not await rejects": ({ clock, signal }) => {
    void sleep(1000, { clock, signal }).then(() => Promise.reject(cause));
    return untilAborted(signal);
  },
  "a microtask throws": ({ clock, signal }) => {
    clock.setTimeout(() => {
      queueMicrotask(() => {
        throw cause;
      });
    }, 1000);
    return untilAborted(signal);
  },
};

describe.each(Object.entries({ ...ways, ...(isPage ? {} : uncaught) }))(
  "a program crashes: %s",
  (_, crash) => {
    test("in each life, which breaks the invariant crash", async () => {
      const error = await failureOf(crash);
      expect(error).toMatchObject({ invariant: "crash", cause, story: plain });
      expect(error.message).toContain(
        "with seed 1: replica-0 crashes: TypeError: cannot read 'spec'",
      );
      expect(error.timeline).toMatch(
        / {2}1\.\d+ s {2}replica-0 {2}crashes: TypeError: cannot read/,
      );
    });

    test("once, and is started again after 10 s", async () => {
      const start: Program = async (life) =>
        life.number === 0 ? crash(life) : untilAborted(life.signal);
      const scenario = { name: "a program", start };
      expect(await replay(scenario, plain)).toMatch(/crashes: .*\n *11\.\d+ s .* starts again/);
    });
  },
);

test("a condition that a crash prevents is reported as the crash", async () => {
  const eventually = { "it is done": () => false };
  const error = await failureOf(() => Promise.reject(cause), { eventually });
  expect(error).toMatchObject({ invariant: "crash", cause });
});

test.skipIf(isPage)(
  "with several processes an error that nothing catches is a crash at once",
  async () => {
    const start = uncaught["a promise that it does not await rejects"];
    const error = await failureOf(start ?? untilDone, { replicas: 2 });
    expect(error).toMatchObject({ invariant: "crash", cause });
    expect(error.message).toContain("one of the processes crashes: TypeError");
  },
);

const untilDone: Program = ({ signal }) => untilAborted(signal);

test("a program that is asked to end may end with an error", async () => {
  const scenario = {
    name: "a program",
    start: asking(async ({ signal }) => {
      await untilAborted(signal);
      signal.throwIfAborted();
    }),
  };
  expect((await simulate(scenario, { ...times, seeds: 5 })).runs).toBe(5);
});

test("a program that never sends a request is refused", async () => {
  const scenario = { name: "a program", start: untilDone };
  await expect(simulate(scenario, { ...times, seeds: 2 })).rejects.toMatchObject({
    code: "LW_SIMULATION_IDLE",
    message: "Cannot simulate a program: its program sent no request in 2 runs",
  });
});

describe("a program that lets no time pass is ended", () => {
  test.each<readonly [string, Program]>([
    [
      "timers without a delay",
      async ({ clock, signal }) => {
        while (!signal.aborted) await new Promise<void>((go) => clock.setTimeout(() => go(), 0));
      },
    ],
    [
      "turns",
      async ({ clock, signal }) => {
        while (!signal.aborted) await clock.nextTurn();
      },
    ],
  ])("%s", async (_, start) => {
    const error = await failureOf(start);
    expect(error).toMatchObject({ invariant: "stuck", story: plain });
    expect(error.message).toContain("replica-0 starts 100000 timers and turns");
  });
});
