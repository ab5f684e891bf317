import { DeltaFIFO, FIFO, RealFIFO } from "@listwatch/core-fifo";
import { expect, test } from "vitest";

interface Pod {
  readonly name: string;
}

interface Subject {
  readonly hasSynced: boolean;
  readonly synced: Promise<void>;
  readonly length: number;
  replace(pods: readonly Pod[], resourceVersion: string): void;
  pop(process: () => void): unknown;
}

const keyFunc = ({ name }: Pod): string => name;
const queues: readonly (readonly [string, () => Subject])[] = [
  ["RealFIFO", () => new RealFIFO({ keyFunc })],
  ["DeltaFIFO", () => new DeltaFIFO({ keyFunc })],
  ["FIFO", () => new FIFO({ keyFunc })],
];

test.each(queues)(
  "a %s reports once that it has synced, with one promise (RF-17)",
  async (_, create) => {
    const queue = create();
    const { synced } = queue;
    const said: string[] = [];
    void synced.then(() => said.push("synced"));
    const drain = async (): Promise<void> => {
      while (queue.length > 0) await queue.pop(() => {});
    };
    queue.replace([{ name: "a" }, { name: "b" }], "1");
    await Promise.resolve();
    expect([queue.hasSynced, ...said]).toEqual([false]);
    await drain();
    await synced;
    expect([queue.hasSynced, ...said]).toEqual([true, "synced"]);
    for (const resourceVersion of ["2", "3"]) {
      queue.replace([{ name: resourceVersion }], resourceVersion);
      expect(queue.hasSynced).toBe(true);
      await drain();
    }
    expect(queue.synced).toBe(synced);
    expect([queue.hasSynced, ...said]).toEqual([true, "synced"]);
  },
);
