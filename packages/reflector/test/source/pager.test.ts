import { StatusError, type ListOptions, type ListContext } from "@listwatch/client";
import { Pager, type ListResult } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";

const context: ListContext<number> = { signal: new AbortController().signal };
const expired = new StatusError({ code: 410, reason: "Expired" });

interface Source {
  readonly requests: ListOptions[];
  readonly list: (options: ListOptions) => Promise<ListResult<number>>;
}

/** A collection of numbers; the token of a page is the position of the next one. */
function numbers(count: number, failAt?: (options: ListOptions) => Error | undefined): Source {
  const requests: ListOptions[] = [];
  return {
    requests,
    list: async (options) => {
      requests.push(options);
      const failure = failAt?.(options);
      if (failure !== undefined) throw failure;
      const start = Number(options.continue ?? 0);
      const end = Math.min(count, options.limit === undefined ? count : start + options.limit);
      const items = Array.from({ length: end - start }, (_, index) => start + index);
      return {
        items: start === 0 ? items : inBatches(items),
        metadata: {
          resourceVersion: `${100 + start}`,
          ...(end < count ? { continue: String(end), remainingItemCount: count - end } : {}),
        },
      };
    },
  };
}

async function* inBatches(items: readonly number[]): AsyncGenerator<readonly number[]> {
  for (const item of items) yield [item];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("a pager", () => {
  test("requests one page of 500 and leaves a single page as it is (PAG-1, PAG-3)", async () => {
    const source = numbers(500);
    const result = await new Pager({ list: source.list }).list({ resourceVersion: "0" }, context);
    expect(result).toMatchObject({ items: upTo(500), paginated: false });
    expect(source.requests).toEqual([{ resourceVersion: "0", limit: 500 }]);
  });

  test("follows the tokens without resourceVersion, and keeps that of the first page (PAG-2, PAG-3)", async () => {
    const source = numbers(5);
    const pager = new Pager({ list: source.list, pageSize: 2 });
    const options = { resourceVersion: "7", resourceVersionMatch: "NotOlderThan" } as const;
    const { items, metadata, paginated } = await pager.list(options, context);
    expect({ items, paginated }).toEqual({ items: upTo(5), paginated: true });
    // No item is left to read.
    expect(metadata).toEqual({ resourceVersion: "100" });
    expect(source.requests).toEqual([
      { ...options, limit: 2 },
      { continue: "2", limit: 2 },
      { continue: "4", limit: 2 },
    ]);
  });

  test("uses the caller's limit (PAG-1), and none when the page size is 0", async () => {
    const source = numbers(3);
    await new Pager({ list: source.list, pageSize: 0 }).list({ limit: 2 }, context);
    await new Pager({ list: source.list, pageSize: 0 }).list({}, context);
    expect(source.requests).toEqual([{ limit: 2 }, { continue: "2", limit: 2 }, {}]);
  });

  test("requests everything at once when a token has expired (PAG-4)", async () => {
    const source = numbers(6, (options) => (options.continue === "4" ? expired : undefined));
    const options = { resourceVersion: "7", resourceVersionMatch: "NotOlderThan" } as const;
    const result = await new Pager({ list: source.list, pageSize: 2 }).list(options, context);
    expect(result).toMatchObject({ items: upTo(6), paginated: true });
    expect(source.requests.at(-1)).toEqual(options);
  });

  test.each([
    ["410 Gone on a later page", new StatusError({ code: 410, reason: "Gone" }), {}],
    ["another failure on a later page", new Error("no"), {}],
    ["an expired token when full lists are not wanted", expired, { fullListIfExpired: false }],
  ])("throws %s (PAG-4, REF-15)", async (_, failure, options) => {
    const source = numbers(6, ({ continue: token }) => (token === "4" ? failure : undefined));
    const pager = new Pager({ list: source.list, pageSize: 2, ...options });
    await expect(pager.list({}, context)).rejects.toBe(failure);
  });

  test("throws Expired on the first page (PAG-4)", async () => {
    const source = numbers(6, () => expired);
    await expect(new Pager({ list: source.list }).list({}, context)).rejects.toBe(expired);
    expect(source.requests).toHaveLength(1);
  });

  test("checks the signal before each page (PAG-6)", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    const source = numbers(6, () => {
      controller.abort(reason);
      return undefined;
    });
    const pager = new Pager({ list: source.list, pageSize: 2 });
    await expect(pager.list({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(source.requests).toHaveLength(1);
  });

  test("yields batches, without resourceVersion on later pages, and surfaces Expired (PAG-5)", async () => {
    const source = numbers(5, (options) => (options.continue === "4" ? expired : undefined));
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      const pager = new Pager({ list: source.list, pageSize: 2 });
      for await (const batch of pager.batches({ resourceVersion: "7" }, context)) {
        seen.push(...batch);
      }
    };
    await expect(read()).rejects.toBe(expired);
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(source.requests[1]).toEqual({ continue: "2", limit: 2 });
  });

  test("yields the batches of all pages", async () => {
    const seen: number[] = [];
    const pager = new Pager({ list: numbers(5).list, pageSize: 2 });
    for await (const batch of pager.batches({}, context)) seen.push(...batch);
    expect(seen).toEqual(upTo(5));
  });
});

describe("pages that never end", () => {
  const page = (token: string, items: readonly number[]): ListResult<number> => ({
    items,
    metadata: { resourceVersion: "1", continue: token },
  });
  let pages = 0;
  const cases: readonly (readonly [string, () => ListResult<number>, string])[] = [
    ["a token that comes again", () => page("same", [1]), "the same continue token again"],
    ["tokens in a circle", () => page(String(pages % 3), [1]), "the same continue token again"],
    ["new tokens and no item", () => page(String(pages), []), "100 pages in a row without an item"],
  ];

  test.each(cases)("are aborted: %s", async (_, answer, got) => {
    pages = 0;
    const pager = new Pager<number>({
      list: async () => {
        pages += 1;
        return answer();
      },
    });
    const failure = {
      code: "LW_ENDLESS_LIST",
      message: `Cannot list: expected pages that end, got ${got}`,
      advice: "Check the server, and proxies that change answers: its pages never end",
    };
    await expect(pager.list({}, context)).rejects.toMatchObject(failure);
    expect(pages).toBeLessThanOrEqual(100);
    const read = async (): Promise<void> => {
      for await (const batch of pager.batches({}, context)) void batch;
    };
    await expect(read()).rejects.toMatchObject(failure);
    expect(pages).toBeLessThanOrEqual(200);
  });

  test("do not include pages with occasional items", async () => {
    const pager = new Pager<number>({
      list: async ({ continue: token = "0" }) => {
        const next = Number(token) + 1;
        return page(next === 300 ? "" : String(next), next % 50 === 0 ? [next] : []);
      },
    });
    const { items } = await pager.list({}, context);
    expect(items).toEqual([50, 100, 150, 200, 250, 300]);
  });
});
