import type { CompletedWrite } from "@listwatch/client";
import { asCached, type Cached } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
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

const itemOf = (resourceVersion: string, uid = "1", name = "a"): Item => ({
  metadata: { name, uid, resourceVersion },
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

  remove(object: Item): void {
    void this.sink?.apply([{ type: "Deleted", key: object.metadata.name, object }], false);
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

describe("When answers arrive in another order than the writes happened", () => {
  interface Started extends AsyncDisposable {
    readonly informer: Informer<Item>;
    readonly source: WritingSource;
  }

  async function start(): Promise<Started> {
    const source = new WritingSource();
    const informer = new Informer<Item>(source, {});
    void informer.run();
    await informer.synced;
    source.set(itemOf("1", "0", "other"));
    return { informer, source, [Symbol.asyncDispose]: () => informer[Symbol.asyncDispose]() };
  }

  const answered = (
    answer: Item,
    fields: Pick<CompletedWrite, "began" | "ended" | "precondition"> = {},
  ): CompletedWrite => ({
    ...write,
    object: { ...answer.metadata, namespace: "" },
    answer,
    ...fields,
  });

  const deleted = (uid: string, fields: Partial<CompletedWrite> = {}): CompletedWrite => {
    return { ...write, verb: "delete", answer: { kind: "Status", details: { uid } }, ...fields };
  };

  test("an earlier write does not end the note of a deletion without a version", async () => {
    await using started = await start();
    const { informer, source } = started;
    informer.noteWrite(deleted("9", { began: 2, ended: 3 }));
    informer.noteWrite(
      answered(itemOf("4", "0", "other"), { began: 1, ended: 4, precondition: "1" }),
    );
    source.set(itemOf("4", "0", "other"));
    source.set(itemOf("5", "9"));
    expect(informer.store.getByKey("a")).toBeUndefined();
  });

  test("a later change ends that note, and a write that may have changed nothing does not", async () => {
    await using started = await start();
    const { informer, source } = started;
    informer.noteWrite(deleted("9", { began: 1, ended: 2 }));
    const later = { began: 3, ended: 4 };
    informer.noteWrite(answered(itemOf("4", "0", "other"), later));
    source.set(itemOf("4", "0", "other"));
    source.set(itemOf("5", "9"));
    expect(informer.store.getByKey("a")).toBeUndefined();

    informer.noteWrite(deleted("8", { began: 5, ended: 6, object: { name: "b", namespace: "" } }));
    const change = { began: 7, ended: 8, precondition: "4" };
    informer.noteWrite(answered(itemOf("7", "0", "other"), change));
    source.set(itemOf("7", "0", "other"));
    // Nothing hides this uid any more.
    source.set(itemOf("8", "8", "b"));
    expect(informer.store.getByKey("b")).toEqual(itemOf("8", "8", "b"));
  });

  test("an object stays absent that was deleted after the write", async () => {
    await using started = await start();
    const { informer, source } = started;
    source.set(itemOf("2"));
    const deletion = informer.noteWrite(deleted("1"));
    informer.noteWrite(answered(itemOf("3")));
    expect(informer.store.getByKey("a")).toBeUndefined();
    source.set(itemOf("3"));
    expect(informer.store.getByKey("a")).toBeUndefined();
    expect(deletion?.isOver).toBe(false);
    source.remove(itemOf("4"));
    source.set(itemOf("5", "0", "other"));
    expect(deletion?.isOver).toBe(true);
  });

  test("an object is shown that was created after the deletion of its namesake", async () => {
    await using started = await start();
    const { informer, source } = started;
    source.set(itemOf("2"));
    informer.noteWrite(answered(itemOf("5", "2"), { precondition: "" }));
    informer.noteWrite(deleted("1", { precondition: "3" }));
    expect(informer.store.getByKey("a")).toEqual(itemOf("5", "2"));
  });

  test("the newest state is shown", async () => {
    await using started = await start();
    const { informer, source } = started;
    source.set(itemOf("2"));
    informer.noteWrite(answered(itemOf("4")));
    const older = informer.noteWrite(answered(itemOf("3")));
    expect(informer.store.getByKey("a")).toEqual(itemOf("4"));
    source.set(itemOf("3"));
    expect(older?.isOver).toBe(true);
    expect(informer.store.getByKey("a")).toEqual(itemOf("4"));
  });
});
