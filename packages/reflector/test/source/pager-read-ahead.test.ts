import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { StatusError, type ListOptions, type ListContext } from "@listwatch/client";
import { Pager, type ListResult, type PagerOptions } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";

const pageMs = 100;
const pageSize = 2;

/** A collection of numbers, two per page. Each page takes some time and obeys the signal. */
class SlowPages {
  readonly clock = new SimulatedClock();
  readonly requests: { readonly token: string; readonly atMs: number }[] = [];
  /** Number of open requests and bodies. */
  open = 0;
  readonly #startMs = this.clock.now();
  readonly #pages: number;
  readonly #failure: { readonly page: number; readonly error: Error } | undefined;

  constructor(pages: number, failure?: { readonly page: number; readonly error: Error }) {
    this.#pages = pages;
    this.#failure = failure;
  }

  get nowMs(): number {
    return this.clock.now() - this.#startMs;
  }

  pager(options: Partial<PagerOptions<number>> = {}): Pager<number> {
    return new Pager({ list: this.list, pageSize, ...options });
  }

  readonly list = async (
    options: ListOptions,
    { signal }: ListContext<number>,
  ): Promise<ListResult<number>> => {
    const token = options.continue ?? "0";
    const page = Number(token);
    this.requests.push({ token, atMs: this.nowMs });
    await this.pause(pageMs, signal);
    if (this.#failure?.page === page) throw this.#failure.error;
    const isLast = page === this.#pages - 1;
    return {
      items: this.#items(page),
      metadata: { resourceVersion: "1", ...(isLast ? {} : { continue: String(page + 1) }) },
    };
  };

  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    this.open++;
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = this.clock.setTimeout(resolve, ms);
        const stop = (): void => {
          timer.cancel();
          reject(signal?.reason as Error);
        };
        if (signal?.aborted === true) stop();
        else signal?.addEventListener("abort", stop);
      });
    } finally {
      this.open--;
    }
  }

  /** Advances the clock until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const done = work.finally(() => (state.isOver = true));
    done.catch(() => undefined);
    await this.clock.settle();
    while (!state.isOver) await this.clock.advance(10);
    return done;
  }

  async *#items(page: number): AsyncGenerator<readonly number[]> {
    this.open++;
    try {
      for (let item = page * pageSize; item < (page + 1) * pageSize; item++) {
        yield [];
        yield [item];
      }
    } finally {
      this.open--;
    }
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Reads to the end and works for `workMs` on each batch. */
async function readAll(source: SlowPages, pager: Pager<number>, workMs: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const batch of pager.batches({}, { signal: new AbortController().signal })) {
    expect(batch).not.toEqual([]);
    seen.push(...batch);
    await source.pause(workMs);
  }
  return seen;
}

describe("a pager that reads ahead", () => {
  test("requests pages while the consumer works on earlier ones (PAG-5)", async () => {
    const source = new SlowPages(4);
    const seen = await source.until(readAll(source, source.pager(), pageMs / pageSize));
    expect(seen).toEqual(upTo(8));
    expect(source.requests.map(({ atMs }) => atMs)).toEqual([0, 100, 200, 300]);
    // Four pages, and the work on the last one; sequentially it would be 800 ms.
    expect(source.nowMs).toBe(500);
  });

  test("requests a page only on demand if no page may wait", async () => {
    const source = new SlowPages(4);
    const pager = source.pager({ pageBufferSize: 0 });
    const seen = await source.until(readAll(source, pager, pageMs / pageSize));
    expect(seen).toEqual(upTo(8));
    expect(source.requests.map(({ atMs }) => atMs)).toEqual([0, 200, 400, 600]);
  });

  test.each([0, 1, 3])("buffers at most %i pages", async (pageBufferSize) => {
    const source = new SlowPages(20);
    const pager = source.pager({ pageBufferSize });
    const batches = pager.batches({}, { signal: new AbortController().signal });
    const first = await source.until(batches.next());
    expect(first.value).toEqual([0]);
    await source.clock.advance(10_000);
    // The page being consumed, and the buffered ones.
    expect(source.requests.map(({ token }) => Number(token))).toEqual(upTo(1 + pageBufferSize));
    await source.until(batches.return());
  });

  test("requests nothing before the first batch is requested", async () => {
    const source = new SlowPages(2);
    const batches = source.pager().batches({}, { signal: new AbortController().signal });
    await source.clock.advance(1000);
    expect(source.requests).toEqual([]);
    await batches.return();
    expect(source.requests).toEqual([]);
  });

  test("throws a failure after the earlier batches, once (PAG-5)", async () => {
    const error = new StatusError({ code: 410, reason: "Expired" });
    const source = new SlowPages(4, { page: 2, error });
    const batches = source.pager().batches({}, { signal: new AbortController().signal });
    const seen: unknown[] = [(await source.until(batches.next())).value];
    // By now the failure has occurred, and three batches are buffered.
    await source.clock.advance(10_000);
    for (let batch = 1; batch < 4; batch++) seen.push((await batches.next()).value);
    expect(seen).toEqual([[0], [1], [2], [3]]);
    await expect(batches.next()).rejects.toBe(error);
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(source.requests).toHaveLength(3);
  });

  test("stops immediately when the signal is aborted, whatever is buffered (PAG-6)", async () => {
    const source = new SlowPages(20);
    const controller = new AbortController();
    const batches = source.pager().batches({}, { signal: controller.signal });
    await source.until(batches.next());
    await source.clock.advance(150);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(batches.next()).rejects.toBe(reason);
    const { length } = source.requests;
    await source.clock.advance(10_000);
    expect(source.requests).toHaveLength(length);
    expect(source.open).toBe(0);
  });

  test("is interrupted by an abort while it waits for a page", async () => {
    const source = new SlowPages(2);
    const controller = new AbortController();
    const batches = source.pager().batches({}, { signal: controller.signal });
    const next = batches.next();
    next.catch(() => undefined);
    await source.clock.advance(50);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(source.open).toBe(0);
  });

  test.each([
    ["a page is on its way", 150],
    ["it is full", 10_000],
  ])("cleans up when the iteration is left while %s", async (_, afterMs) => {
    const source = new SlowPages(20);
    const controller = new AbortController();
    const batches = source.pager({ pageBufferSize: 3 }).batches({}, controller);
    await source.until(batches.next());
    await source.clock.advance(afterMs);
    await batches.return();
    expect(source.open).toBe(0);
    expect(source.clock.pendingTimers).toBe(0);
    const { length } = source.requests;
    await source.clock.advance(10_000);
    expect(source.requests).toHaveLength(length);
  });

  test("reads ahead by batches where there are no pages", async () => {
    const source = new SlowPages(1);
    const pager = source.pager({ pageSize: 0 });
    expect(await source.until(readAll(source, pager, 10))).toEqual(upTo(2));
  });

  test.each([-1, Number.NaN])("rejects a buffer of %d pages (PAG-5)", (pageBufferSize) => {
    const { list } = new SlowPages(1);
    expect(() => new Pager({ list, pageBufferSize })).toThrow("option pageBufferSize");
  });
});
