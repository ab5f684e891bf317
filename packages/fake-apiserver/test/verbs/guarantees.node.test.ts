/* oxlint-disable vitest/no-standalone-expect, vitest/no-conditional-expect -- called by tests, for
   answers of many kinds */
import { seededRandom, type Random } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, type Json } from "../support/api-client.ts";
import { History, keyOf, revisionOf, type View } from "../support/history.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";
import { Observer, pathOf, withoutTypes } from "../support/observer.ts";

const namespaces: readonly string[] = ["default", "other"];
const names: readonly string[] = ["a", "b", "c", "d", "e"];
const writers = 4;
const writesEach = 80;

/** One request with its response, which was true at some moment between `start` and `end`. */
interface Operation {
  readonly type: "create" | "replace" | "merge" | "delete" | "get" | "list" | "pages";
  readonly key: string;
  /** The version that the write is based on. */
  readonly base: number | undefined;
  readonly answer: Answer;
  /** The items of all pages. */
  readonly items: readonly Json[];
  /** Revisions before the request, and at the time of its response. */
  readonly start: number;
  readonly end: number;
}

/** Clients that write, read and watch concurrently, while watches break and history is compacted. */
class World {
  readonly server: FakeApiServer;
  readonly clock = new ManualClock();
  readonly history = new History();
  readonly operations: Operation[] = [];
  readonly #client: ApiClient;
  readonly #random: Random;
  #writing = writers;
  #over = false;

  constructor(seed: number) {
    this.server = new FakeApiServer({ seed, clock: this.clock, namespaces: "permissive" });
    this.#client = new ApiClient(this.server);
    this.#random = seededRandom(seed);
  }

  async run(observers: readonly Observer[]): Promise<void> {
    const { control } = this.server;
    const reference = this.#watchAll(control.revision);
    await control.when.watchOpen();
    const observing = observers.map((observer) => observer.run(() => this.#over));
    const writing = Array.from({ length: writers }, () => this.#write());
    await Promise.all([...writing, this.#read(), this.#disturb()]);
    const countWatches = (): number =>
      observers.reduce((sum, { relists, resumptions }) => sum + relists + resumptions, 0);
    // A fault that a watch was opened with can end it at its next event.
    for (let before = -1; before !== countWatches();) {
      before = countWatches();
      await control.when.watchOpen({ userAgent: "observer" }, { count: observers.length });
      await control.when.allWatchersAt();
      await settle();
    }
    this.#over = true;
    control.watches.end();
    await Promise.all([reference, ...observing]);
  }

  async #watchAll(from: number): Promise<void> {
    const watch = await this.#client.watch(pathOf({}, `watch=1&resourceVersion=${from}`));
    for (;;) {
      const event = await watch.next();
      if (event === undefined) return;
      this.history.add({ type: event.type, object: withoutTypes(event.object) });
    }
  }

  async #write(): Promise<void> {
    for (let count = 0; count < writesEach; count++) {
      await this.pause();
      const namespace = this.#pick(namespaces);
      const name = this.#pick(names);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const metadata = { name, labels: { color: this.#pick(["red", "blue"]) } };
      const data = { count: String(this.#random()) };
      const key = `${namespace}/${name}`;
      const choice = this.#random();
      if (choice < 0.4) await this.#do("create", key, "POST", path, { metadata, data });
      else if (choice < 0.6)
        await this.#do("merge", key, "PATCH", `${path}/${name}`, { metadata, data });
      else if (choice < 0.8) await this.#do("delete", key, "DELETE", `${path}/${name}`);
      else await this.#replace(key, `${path}/${name}`, { metadata, data });
    }
    this.#writing--;
  }

  /** Reads an object, and replaces it at that version. */
  async #replace(key: string, path: string, object: Json): Promise<void> {
    const { body, status } = await this.#do("get", key, "GET", path);
    if (status !== 200) return;
    await this.pause();
    const { resourceVersion } = body["metadata"];
    const metadata = { ...object["metadata"], resourceVersion };
    await this.#do("replace", key, "PUT", path, { ...object, metadata }, Number(resourceVersion));
  }

  async #read(): Promise<void> {
    while (this.#writing > 0) {
      await this.pause();
      if (this.#random() < 0.5) await this.#do("list", "", "GET", pathOf({}));
      else await this.#readPages();
    }
  }

  async #readPages(): Promise<void> {
    const start = this.server.control.revision;
    const items: Json[] = [];
    let token = "";
    for (;;) {
      const answer = await this.#client.get(pathOf({}, `limit=2&continue=${token}`));
      const { body, status } = answer;
      if (status === 200) items.push(...body["items"]);
      token = status === 200 ? (body["metadata"].continue ?? "") : "";
      if (token === "") {
        const end = this.server.control.revision;
        this.operations.push({
          type: "pages",
          key: "",
          base: undefined,
          answer,
          items,
          start,
          end,
        });
        return;
      }
      await this.pause();
    }
  }

  async #disturb(): Promise<void> {
    const { control } = this.server;
    const match = { userAgent: "observer" };
    while (this.#writing > 0) {
      await this.pause();
      await this.pause();
      const choice = this.#random();
      if (choice < 0.3) control.watches.reset(match);
      else if (choice < 0.5) control.watches.end(match);
      else if (choice < 0.6)
        control.compact({ to: Math.max(0, Math.floor(control.revision - 10 * this.#random())) });
      else if (choice < 0.65) control.compact({ watches: false });
      else if (choice < 0.8) await this.clock.advance(60_000);
      else if (choice < 0.9) {
        const action = {
          type: "truncate",
          at: { afterBytes: Math.floor(400 * this.#random()) },
        } as const;
        control.faults.add({ match: { ...match, verb: "watch" }, action });
      } else {
        const at = { events: Math.floor(4 * this.#random()) };
        const action = { type: "resetBody", after: at } as const;
        control.faults.add({ match: { ...match, verb: "watch" }, action });
      }
    }
    control.faults.clear();
  }

  async #do(
    type: Operation["type"],
    key: string,
    method: string,
    path: string,
    body?: object,
    base?: number,
  ): Promise<Answer> {
    // No await before the request: everything answered by now must be visible to it.
    const start = this.server.control.revision;
    const answer = await this.#client.call(method, path, body);
    const end = this.server.control.revision;
    const items = type === "list" ? answer.body["items"] : [];
    this.operations.push({ type, key, base, answer, items, start, end });
    return answer;
  }

  /** Lets other clients run for a while. */
  async pause(): Promise<void> {
    if (this.#random() < 0.2) await settle();
    for (let turns = 12 * this.#random(); turns > 0; turns--) await Promise.resolve();
  }

  #pick(values: readonly string[]): string {
    return values[Math.floor(this.#random() * values.length)] ?? "";
  }
}

/** Checks that each response is correct for one moment between request and response. */
function checkLinearizable(history: History, operations: readonly Operation[]): void {
  const written = new Set<number>();
  for (const { answer, base, end, items, key, start, type } of operations) {
    const { body, status } = answer;
    if (type === "list" || type === "pages") {
      // A paged list that continues after a compaction has no result.
      if (status === 410 && type === "pages") continue;
      expect(status).toBe(200);
      const revision = revisionOf(body);
      expect(revision).toBeGreaterThanOrEqual(start);
      expect(revision).toBeLessThanOrEqual(end);
      const listed = new Map(items.map((item) => [keyOf(item), item]));
      expect(listed.size).toBe(items.length);
      expect(listed).toEqual(new Map(history.stateAt(revision)));
      continue;
    }
    // The states of the object in this time; undefined where it did not exist.
    const states = statesBetween(history, key, start, end);
    if (status === 404 || status === 409) {
      const isRefused = (object: Json | undefined): boolean => {
        if (status === 404) return object === undefined;
        return type === "create"
          ? object !== undefined
          : object?.["metadata"].resourceVersion !== String(base);
      };
      expect(states.some(isRefused)).toBe(true);
      continue;
    }
    expect(status).toBeLessThan(300);
    if (type === "get") {
      expect(states).toContainEqual(withoutTypes(body));
      continue;
    }
    const event = history.events.find(({ object, type: shown }) => {
      const revision = revisionOf(object);
      if (keyOf(object) !== key || revision <= start || revision > end) return false;
      if (type === "delete")
        return shown === "DELETED" && object["metadata"].uid === body["details"].uid;
      return revision === revisionOf(body);
    });
    // Written once, after all earlier responses, and with the content of the response.
    expect(event).toBeDefined();
    if (event === undefined) continue;
    const revision = revisionOf(event.object);
    expect(written.has(revision)).toBe(false);
    written.add(revision);
    const before = history.before(key, revision);
    const existed = before !== undefined && before.type !== "DELETED";
    expect(existed).toBe(type !== "create");
    if (type !== "delete") expect(event.object).toEqual(withoutTypes(body));
    if (base !== undefined) expect(before && revisionOf(before.object)).toBe(base);
  }
  // There were no other writes.
  expect(history.events.map(({ object }) => revisionOf(object)).toSorted((a, b) => a - b)).toEqual(
    [...written].toSorted((a, b) => a - b),
  );
}

function statesBetween(
  history: History,
  key: string,
  start: number,
  end: number,
): readonly (Json | undefined)[] {
  const changes = history.events.map(({ object }) => revisionOf(object));
  const moments = [start, ...changes.filter((revision) => revision > start && revision <= end)];
  return moments.map((revision) => history.stateAt(revision).get(key));
}

const total = { events: 0, resumptions: 0, relists: 0, bookmarks: 0 };

// In the last one a fault ends a watch after the last write.
const seeds = [...Array.from({ length: 24 }, (_, index) => index + 1), 855_206_272];

describe("while watches break and history is compacted", () => {
  test.each(seeds)(
    "requests are linearizable and watches keep their promises (seed %i)",
    async (seed) => {
      const world = new World(seed);
      const client = new ApiClient(world.server);
      const pause = async (): Promise<void> => {
        for (let count = 0; count < 4; count++) await world.pause();
      };
      const views: readonly [View, boolean][] = [
        [{}, false],
        [{ namespace: "other" }, false],
        [{ label: ["color", "red"] }, false],
        [{ namespace: "default", label: ["color", "blue"] }, true],
        [{}, true],
      ];
      const observers = views.map(([view, streams]) => new Observer(client, view, streams, pause));
      await world.run(observers);
      const { events } = world.history;
      // Each revision has one event, in order.
      const revisions = events.map(({ object }) => revisionOf(object));
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
      checkLinearizable(world.history, world.operations);
      for (const observer of observers)
        observer.check(world.history, world.server.control.revision);
      for (const { bookmarks, relists, resumptions } of observers) {
        total.bookmarks += bookmarks;
        total.relists += relists;
        total.resumptions += resumptions;
      }
      total.events += events.length;
    },
  );

  test("the runs above included every kind of conflict and failure", () => {
    expect(total.events).toBeGreaterThan(1000);
    expect(total.resumptions).toBeGreaterThan(100);
    expect(total.relists).toBeGreaterThan(20);
    expect(total.bookmarks).toBeGreaterThan(20);
  });
});
