import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { seededRandom } from "@listwatch/core-fifo/base";
import type { FakeApiServer } from "@listwatch/fake-apiserver";
import { recorderToken, wholeServer } from "../../../conformance/fidelity/scenario.ts";
import type { Draft } from "../kinds/generate-object.ts";
import { namespace } from "../kinds/observe-kinds.ts";
import { RandomWrites, type RandomWrite } from "./random-writes.ts";
import { recordedObjects } from "./recorded-objects.ts";

/** The class of a fake server, of this checkout or of another one. */
export type ServerClass = new (
  options: ConstructorParameters<typeof FakeApiServer>[0],
) => Pick<FakeApiServer, "fetch">;

/** Result of {@link compareAnswers}. */
export interface Compared {
  /** Number of requests that both servers answered with the same bytes. */
  readonly equal: number;
  /** Each other one, with both answers. */
  readonly differences: readonly string[];
}

const writesOfObject = 12;
// Seeds of objects do not meet: there are fewer of them.
const seedStep = 1000;
const shownLength = 2000;
const origin = "http://localhost";

/**
 * Sends the same writes of objects of all kinds to two versions of the fake server, which draw the
 * same names at the same times: creates, updates, patches of each type, applies of two managers,
 * scales, tried deletes and deletes. Compares status, headers and bodies byte for byte, and what is
 * stored after each.
 *
 * @param count number of writes; more are sent until each object had its turn
 */
export async function compareAnswers(
  ours: ServerClass,
  theirs: ServerClass,
  count: number,
): Promise<Compared> {
  const comparison = new TwoServers(ours, theirs);
  const paths = await comparison.paths();
  const objects = [...recordedObjects()].flatMap((object) => {
    const path = paths.get(`${String(object["apiVersion"])} ${String(object["kind"])}`);
    return path === undefined ? [] : [{ object, path }];
  });
  await comparison.write("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  for (let seed = 1; comparison.writes < count; seed++) {
    for (const [number, { object, path }] of objects.entries()) {
      await comparison.writeObject(object, path, seed * seedStep + number);
    }
  }
  return comparison;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

class TwoServers implements Compared {
  readonly #ours: Pick<FakeApiServer, "fetch">;
  readonly #theirs: Pick<FakeApiServer, "fetch">;
  readonly differences: string[] = [];
  equal = 0;
  writes = 0;

  constructor(ours: ServerClass, theirs: ServerClass) {
    this.#ours = new ours({ ...wholeServer, seed: 1, clock: new SimulatedClock() });
    this.#theirs = new theirs({ ...wholeServer, seed: 1, clock: new SimulatedClock() });
  }

  /** The paths of collections, by version and kind. */
  async paths(): Promise<ReadonlyMap<string, string>> {
    const { groups } = JSON.parse(await this.#ask({ method: "GET", path: "/apis" })) as {
      readonly groups: readonly { readonly versions: readonly Draft[] }[];
    };
    const versions = groups.flatMap((group) =>
      group.versions.map(({ groupVersion }) => String(groupVersion)),
    );
    const paths = new Map<string, string>();
    for (const version of ["v1", ...versions]) {
      const root = version === "v1" ? "/api/v1" : `/apis/${version}`;
      const { resources } = JSON.parse(await this.#ask({ method: "GET", path: root })) as {
        readonly resources: readonly Draft[];
      };
      for (const { kind, name, namespaced } of resources) {
        const prefix = namespaced === true ? `${root}/namespaces/${namespace}` : root;
        if (!String(name).includes("/")) {
          paths.set(`${version} ${String(kind)}`, `${prefix}/${String(name)}`);
        }
      }
    }
    return paths;
  }

  /** Creates an object, changes it, and deletes it. */
  async writeObject(object: Draft, path: string, seed: number): Promise<void> {
    const { name } = object["metadata"] as { readonly name: string };
    const url = `${path}/${name}`;
    await this.write("POST", path, object);
    const writes = new RandomWrites(seededRandom(seed));
    for (let step = 0; step < writesOfObject; step++) {
      const current = JSON.parse(await this.#ask({ method: "GET", path: url })) as Draft;
      // It was refused, or a write has removed its last finalizer.
      if (current["kind"] === "Status") break;
      const { body, method, suffix, type }: RandomWrite = writes.next(current);
      await this.write(method, url + suffix, body, type);
    }
    await this.write("DELETE", `${url}?gracePeriodSeconds=0`);
    const left = JSON.parse(await this.#ask({ method: "GET", path: url })) as Draft;
    if (left["kind"] === "Status") return;
    const { finalizers: _finalizers, ...metadata } = left["metadata"] as Draft;
    await this.write("PUT", url, { ...left, metadata });
  }

  async write(method: string, path: string, body?: unknown, type?: string): Promise<void> {
    this.writes++;
    await this.#ask({ method, path, body, ...(type === undefined ? {} : { type }) });
  }

  /** Sends a request to both servers. Returns the body of our answer. */
  async #ask(sent: Sent): Promise<string> {
    const [ours, theirs] = [await answer(this.#ours, sent), await answer(this.#theirs, sent)];
    if (ours.text === theirs.text && ours.head === theirs.head) this.equal++;
    else {
      const lines = [ours, theirs].map(({ head, text }) => `${head} ${text.slice(0, shownLength)}`);
      const body = JSON.stringify(sent.body)?.slice(0, shownLength) ?? "";
      this.differences.push(
        `${sent.method} ${sent.path} ${body}\n  ours:   ${lines[0]}\n  theirs: ${lines[1]}`,
      );
    }
    return ours.text;
  }
}

async function answer(
  server: Pick<FakeApiServer, "fetch">,
  { body, method, path, type = "application/json" }: Sent,
): Promise<{ readonly head: string; readonly text: string }> {
  const headers = { authorization: `Bearer ${recorderToken}`, accept: "application/json" };
  const init =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, "content-type": type }, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(origin + path, init));
  const head = `${response.status} ${JSON.stringify([...response.headers])}`;
  return { head, text: await response.text() };
}
