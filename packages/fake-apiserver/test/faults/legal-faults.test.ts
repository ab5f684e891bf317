// A client that follows the protocol must end in the server's state under all legal faults.
import { FakeApiServer, type ServerControl } from "@listwatch/fake-apiserver";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

/** Lists, watches, resumes at its last version, and relists when that has expired. */
class Follower {
  readonly objects = new Map<string, string>();
  readonly streams: number[][] = [];
  readonly #client: ApiClient;
  readonly #stop = new AbortController();
  #version = "";

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#version === "") await this.#list();
      // Yields, since a server that refuses everything would keep the process busy.
      await settle();
      await this.#watch().catch((error: unknown) => error);
    }
  }

  stop(): void {
    this.#stop.abort(new Error("stopped"));
  }

  async #list(): Promise<void> {
    const answer = await this.#client.get(configMaps).catch(() => undefined);
    if (answer?.status !== 200) return;
    this.objects.clear();
    for (const item of answer.body["items"] as readonly Json[]) this.#keep(item);
    this.#version = answer.body["metadata"].resourceVersion;
  }

  async #watch(): Promise<void> {
    if (this.#version === "") return;
    const url = `${configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
    const { signal } = this.#stop;
    const watch = await this.#client.watch(url, { signal });
    const versions: number[] = [];
    this.streams.push(versions);
    for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
      const { metadata } = event.object;
      if (event.type === "ERROR") {
        this.#version = "";
        continue;
      }
      this.#version = metadata.resourceVersion;
      if (event.type === "BOOKMARK") continue;
      versions.push(Number(metadata.resourceVersion));
      if (event.type === "DELETED") this.objects.delete(metadata.name);
      else this.#keep(event.object);
    }
  }

  #keep({ metadata }: Json): void {
    this.objects.set(metadata.name, metadata.resourceVersion);
  }
}

type Step = (world: { control: ServerControl; client: ApiClient; clock: ManualClock }) => unknown;

const name = fc.constantFrom("a", "b", "c");
const eachWatch = (
  control: ServerControl,
  act: (watch: ReturnType<ServerControl["watches"]["list"]>[number]) => void,
) => control.watches.list().forEach(act);

const write: fc.Arbitrary<Step> = fc.oneof(
  name.map(
    (object): Step =>
      ({ client }) =>
        client.createConfigMap(object),
  ),
  fc.tuple(name, fc.string({ unit: "grapheme", maxLength: 5 })).map(
    ([object, text]): Step =>
      ({ client }) =>
        client.updateConfigMap(object, { text }),
  ),
  name.map(
    (object): Step =>
      ({ client }) =>
        client.call("DELETE", `${configMaps}/${object}`),
  ),
);

const fault: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    ({ control }) => control.watches.end(),
    ({ control }) => control.watches.reset(),
    ({ control }) => eachWatch(control, (watch) => watch.stall()),
    ({ control }) => eachWatch(control, (watch) => watch.resume()),
    ({ control }) => eachWatch(control, (watch) => watch.truncate()),
    ({ control }) =>
      eachWatch(control, (watch) => watch.truncate({ inside: "character", then: "reset" })),
    ({ control }) => eachWatch(control, (watch) => watch.split({ bytes: 3, crlf: true })),
    ({ control }) => eachWatch(control, (watch) => watch.split({ padTo: 3000 })),
    ({ control }) => eachWatch(control, (watch) => watch.slow(5000)),
    ({ control }) => eachWatch(control, (watch) => watch.hold({ type: "MODIFIED" })),
    ({ control }) => eachWatch(control, (watch) => watch.release()),
    ({ control }) => eachWatch(control, (watch) => watch.sendError({ code: 500 })),
    ({ control }) => control.compact(),
    ({ control }) => control.restart({ unreadyMs: 100 }),
    ({ control }) => control.unready("configmaps", 100),
    ({ control }) => control.frontEnds.at(0).freeze(),
    ({ control }) => control.frontEnds.at(0).lag(2),
    ({ control }) => control.frontEnds.at(0).catchUp(),
    ({ control }) => control.bookmarks.set({ afterEvents: 2 }),
    ({ control }) => control.bookmarks.set({ suppress: true }),
    ({ clock }) => clock.advance(500),
  ),
  fc
    .record({
      verb: fc.constantFrom("list" as const, "watch" as const),
      code: fc.constantFrom(429, 500, 504),
    })
    .map(
      ({ verb, code }): Step =>
        ({ control }) =>
          control.faults.add({ match: { verb }, action: { type: "status", status: { code } } }),
    ),
  fc.constantFrom("reset" as const, "resetBody" as const, "end" as const).map(
    (type): Step =>
      ({ control }) =>
        control.faults.add({ match: { verb: "watch" }, action: { type } }),
  ),
);

/** Ends every fault without an end. */
async function heal(control: ServerControl, clock: ManualClock): Promise<void> {
  control.faults.clear();
  control.frontEnds.at(0).catchUp();
  control.bookmarks.set({});
  for (const watch of control.watches.list()) {
    watch.release();
    watch.resume();
    watch.slow(Infinity);
    watch.split({});
  }
  await clock.advance(60_000);
  // A pending cut ends the watch once more.
  for (let round = 0; round < 3; round++) {
    await settle();
    await control.when.watchOpen();
    await control.when.allWatchersAt();
  }
}

describe("legal faults", () => {
  test("never prevent a correct client from reaching the server's state, and never break the order of a stream", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(write, write, fault), { maxLength: 40 }),
        async (steps) => {
          const clock = new ManualClock();
          const server = new FakeApiServer({ clock, seed: 1 });
          const { control } = server;
          const client = new ApiClient(server);
          const follower = new Follower(client);
          const running = follower.run();
          for (const step of steps) {
            await step({ control, client, clock });
            await settle();
          }
          await heal(control, clock);
          const { body } = await client.get(configMaps);
          const actual = (body["items"] as readonly Json[]).map(({ metadata }) => [
            metadata.name,
            metadata.resourceVersion,
          ]);
          expect(
            [...follower.objects].toSorted(([left], [right]) => (left < right ? -1 : 1)),
          ).toEqual(actual);
          for (const versions of follower.streams) {
            expect(versions).toEqual(
              [...new Set(versions)].toSorted((left, right) => left - right),
            );
          }
          follower.stop();
          await running;
          expect(control.watches.list()).toEqual([]);
        },
      ),
      { seed: 20260102, numRuns: 150 },
    );
  });
});
