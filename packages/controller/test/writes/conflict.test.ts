import { beforeEach, describe, expect, test } from "vitest";
import { isConflict, StatusError } from "@listwatch/client";
import { retryOnConflict } from "@listwatch/controller";
import { Cluster, failureOf } from "../support/cluster.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

describe("retryOnConflict", () => {
  test("tries five times, and retries only conflicts", async () => {
    let attempts = 0;
    const conflict = (): Promise<never> => {
      attempts += 1;
      throw new StatusError({ code: 409, reason: "Conflict" });
    };
    const failing = failureOf(retryOnConflict(conflict, { clock: cluster.clock }));
    await cluster.clock.advance(100);
    expect(await failing).toSatisfy(isConflict);
    expect(attempts).toBe(5);
    const broken = (): Promise<never> => {
      attempts += 1;
      throw new TypeError("broken");
    };
    await expect(retryOnConflict(broken)).rejects.toThrow("broken");
    expect(attempts).toBe(6);
  });
});
