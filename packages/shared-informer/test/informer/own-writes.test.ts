import type { CompletedWrite } from "@listwatch/client";
import { asCached, type Cached } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";
import {
  Informer,
  OwnWrites,
  type InformerSink,
  type InformerSource,
  type OwnWritesCache,
  type SourceStatus,
} from "../../src/index.ts";

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

const itemOf = (resourceVersion: string): Item => ({
  metadata: { name: "a", uid: "1", resourceVersion },
});

/** A source whose changes a test applies. */
class ManualSource implements InformerSource<Item> {
  sink: InformerSink<Item> | undefined;

  async run(sink: InformerSink<Item>, signal: AbortSignal): Promise<void> {
    this.sink = sink;
    sink.markSynced();
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
  }

  set(object: Item): void {
    void this.sink?.apply([{ type: "Updated", key: object.metadata.name, object }], false);
  }

  status(): SourceStatus {
    return {
      source: undefined,
      problem: undefined,
      queuedDeltas: 0,
      freshAsOfMs: undefined,
      liveAsOfMs: undefined,
    };
  }

  isSameState(old: Cached<Item>, object: Cached<Item>): boolean {
    return old === object;
  }
}

/** The same, for a program that writes. */
class WritingSource extends ManualSource {
  createWrites(cache: OwnWritesCache<Item>): OwnWrites<Item> {
    return new OwnWrites(({ answer }, { name }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of this test
      return { key: name.name, content: asCached(answer as Item), isHeld: true };
    }, cache);
  }
}

const write: CompletedWrite = {
  verb: "update",
  resource: { group: "", version: "v1", resource: "items" },
  object: { name: "a", namespace: "" },
  answer: itemOf("2"),
};

test("an informer over a source of the program notes writes if the source creates the notes", async () => {
  const source = new WritingSource();
  await using informer = new Informer<Item>(source, {});
  void informer.run();
  await informer.synced;
  source.set(itemOf("1"));
  const noted = informer.noteWrite(write);
  expect(noted?.isOver).toBe(false);
  expect(informer.store.getByKey("a")).toEqual(itemOf("2"));
  expect(informer.store.list()).toEqual([itemOf("1")]);
  source.set(itemOf("3"));
  await noted?.over;
  expect(informer.store.getByKey("a")).toEqual(itemOf("3"));
});

test("an informer over another source shows its cache alone", async () => {
  const source = new ManualSource();
  await using informer = new Informer<Item>(source, {});
  void informer.run();
  await informer.synced;
  source.set(itemOf("1"));
  expect(informer.noteWrite(write, {})).toBeUndefined();
  expect(informer.store.getByKey("a")).toEqual(itemOf("1"));
  expect(informer.store.has("a")).toBe(true);
  expect(informer.writerOf(informer.store.getByKey("a"))).toBeUndefined();
});
