import { seededRandom } from "@listwatch/core-fifo/base";
import { Comparison } from "../../../conformance/fidelity/compare.ts";
import type { ControlPlane } from "../control-plane.ts";
import type { Answer } from "../kinds/api-connection.ts";
import type { Draft } from "../kinds/generate-object.ts";
import type { Counts } from "../run-program.ts";
import { knownOfWrites } from "./known-differences.ts";
import { RandomWrites, type RandomWrite } from "./random-writes.ts";
import {
  type Ask,
  differencesOf,
  type Recorded,
  remove,
  type Servers,
  withServers,
} from "./servers.ts";

/** Kinds whose status a real server writes at any time. */
const writtenByServer: ReadonlySet<string> = new Set([
  "APIService",
  "CustomResourceDefinition",
  "FlowSchema",
]);
const writesOfObject = 12;
// Seeds of objects do not meet: there are fewer of them.
const seedStep = 1000;
const shownDifferences = 20;
// JSON in JSON in a message.
const escapes = 3;

/**
 * Sends the same random writes of objects of all kinds to a real server, which no one else uses,
 * and to the fake one: updates, patches of each type, applies of two managers, scales, tried
 * deletes, and writes of the status. Compares the answers and the owners of fields after each.
 *
 * @param seeds each draws other writes
 * @param every takes each object whose number is a multiple of it
 */
export function runWriteChecks(
  plane: ControlPlane,
  seeds: readonly number[],
  every: number,
): Promise<Counts> {
  return withServers(plane, async (servers, recorded) => {
    const compared = recorded.filter(({ object }) => !writtenByServer.has(String(object["kind"])));
    const check = new WriteCheck(servers, every === 1);
    for (const seed of seeds) {
      for (let number = every; number <= compared.length; number += every) {
        const one = compared[number - 1];
        if (one !== undefined) await check.compareObject(one, seed * seedStep + number);
      }
    }
    return check.report();
  });
}

class WriteCheck {
  readonly #servers: Servers;
  readonly #isWhole: boolean;
  readonly #counts = { passed: 0, failed: 0 };
  readonly #met = new Set<string>();
  #listed = 0;

  /** @param isWhole whether each difference of the list has to be met */
  constructor(servers: Servers, isWhole: boolean) {
    this.#servers = servers;
    this.#isWhole = isWhole;
  }

  async compareObject({ object, path }: Recorded, seed: number): Promise<void> {
    const { fake, real } = this.#servers;
    const { name } = object["metadata"] as { readonly name: string };
    const url = `${path}/${name}`;
    const subject = `${String(object["apiVersion"])} ${String(object["kind"])} ${name}`;
    // Objects that a real server refuses are compared by their mutations.
    if ((await real("POST", path, object)).status !== 201) return;
    const created = await fake("POST", path, object);
    if (created.status === 201) await this.#compareWrites(url, subject, seed);
    else this.#fail(`${subject}: created\n  fake: ${String(created.body["message"])}`);
    for (const ask of [real, fake]) await remove(ask, url);
  }

  async #compareWrites(url: string, subject: string, seed: number): Promise<void> {
    const writes = new RandomWrites(seededRandom(seed));
    for (let step = 0; step < writesOfObject; step++) {
      if (!(await this.#compare(url, writes, `${subject}: ${step}`))) return;
    }
  }

  report(): Counts {
    console.log(`ok   writes: ${this.#counts.passed} answers are those of the real server`);
    if (this.#listed > 0) console.log(`     writes: ${this.#listed} differ as listed`);
    const needed = this.#isWhole ? knownOfWrites.filter(({ isRandom = false }) => !isRandom) : [];
    const unmet = needed.filter(({ why }) => !this.#met.has(why));
    for (const { why } of unmet) this.#fail(`nothing differs by: ${why}`);
    if (this.#counts.passed === 0) this.#fail("no write was compared");
    return this.#counts;
  }

  #fail(text: string): void {
    if (++this.#counts.failed > shownDifferences) return;
    console.log(`FAIL writes: ${text.replaceAll(/a{300,}/g, "300 letters")}`);
  }

  /** Sends the next write. Returns false if the objects may differ from now on. */
  async #compare(url: string, writes: RandomWrites, subject: string): Promise<boolean> {
    const { fake, real } = this.#servers;
    const [one, other] = [(await real("GET", url)).body, (await fake("GET", url)).body];
    if (one["metadata"] === undefined) return false;
    const write = writes.next(one);
    const answer = await send(real, url, write, one, one).catch(String);
    if (typeof answer === "string") {
      console.log(`     writes: the real server has no answer to ${subject}: ${answer}`);
      return false;
    }
    const found = withOther(await send(fake, url, write, one, other), chosen(other, one));
    // Values that both objects had before the write are compared, too; new times may differ.
    const given = JSON.stringify({ one, sent: write.body }).replaceAll(times, notNew);
    const differences = [
      ...differencesOf(JSON.parse(given) as Draft, comparable(answer), comparable(found)),
      ...ownersDiffer(answer, found),
    ];
    if (differences.length === 0) {
      this.#counts.passed++;
      return true;
    }
    const { body, method, suffix, type } = write;
    const sent = `${method} ${suffix} ${type.replace("application/", "")} ${JSON.stringify(body)}`;
    const text = `${subject}: ${sent}\n${differences.join("\n")}`;
    const known = knownOfWrites.find(({ pattern }) => pattern.test(text));
    if (known === undefined) this.#fail(text);
    else {
      this.#met.add(known.why);
      this.#listed++;
    }
    return false;
  }
}

/** Sends a write that was drawn for the object of one server to another one. */
function send(
  ask: Ask,
  url: string,
  { body, method, suffix, type }: RandomWrite,
  drawnFor: Draft,
  current: Draft,
): Promise<Answer> {
  const values = chosen(drawnFor, current);
  return ask(method, url + suffix, withOther(body, values), type);
}

const chosenByServer: ReadonlySet<string> = new Set([
  ...["clusterIP", "clusterIPs", "creationTimestamp", "healthCheckNodePort", "nodePort"],
  ...["resourceVersion", "uid"],
]);

/** Values of the first object that the second one has others for, as texts. */
function chosen(one: unknown, other: unknown, name = ""): readonly (readonly [string, string])[] {
  if (typeof one === "object" && one !== null && typeof other === "object" && other !== null) {
    return Object.entries(one).flatMap(([key, value]) =>
      chosen(value, (other as Draft)[key], Array.isArray(one) ? name : key),
    );
  }
  if (!chosenByServer.has(name) || one === other) return [];
  if (typeof one === "number" && typeof other === "number") return [[`${one}`, `${other}`]];
  if (typeof one !== "string" || typeof other !== "string") return [];
  if (name !== "resourceVersion") return [[one, other]];
  // Other numbers stay as they are.
  const places = [['"', '"'] as const, ["record (", ")"] as const, ["meta: ", ""] as const];
  return places.map(([start, end]) => [start + one + end, start + other + end]);
}

function ownersDiffer(real: Answer, fake: Answer): readonly string[] {
  return new Comparison().value(owners(real), owners(fake), "  managedFields");
}

/** A value with those of the other server, also within messages, where they are JSON. */
function withOther<T>(value: T, values: readonly (readonly [string, string])[]): T {
  const pairs = new Map<string, string>();
  for (const [from, to] of values) {
    for (let [old, other] = [from, to], depth = 0; depth < escapes; depth++) {
      pairs.set(old, other);
      [old, other] = [JSON.stringify(old).slice(1, -1), JSON.stringify(other).slice(1, -1)];
    }
  }
  if (pairs.size === 0) return value;
  const found = [...pairs.keys()].map((one) =>
    one.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
  );
  const all = new RegExp(`(?<![\\w-])(?:${found.join("|")})(?![\\w-])`, "g");
  return JSON.parse(JSON.stringify(value).replace(all, (one) => pairs.get(one) ?? one)) as T;
}

/** An answer whose messages have a number for each object that they show. */
function comparable({ body, ...answer }: Answer): Answer {
  if (answer.status < 300) return { ...answer, body };
  const json = JSON.stringify(body).replaceAll(times, "a time");
  const shown = JSON.parse(json, (name, value: unknown) =>
    name === "message" && typeof value === "string" ? value.replace(shownObject, numberOf) : value,
  ) as Draft;
  return { ...answer, body: shown };
}

const dayMs = 86_400_000;

function notNew(time: string): string {
  return Date.parse(time) > Date.now() - dayMs ? "a time" : time;
}

const times = /20[2-9]\d-\d\d-\d\dT[\d:.]+Z/g;
const shownObject = /"\{(?:[^"\\]|\\.)*\}"/;
const objects: string[] = [];

/** The number of an object in quotes, by its content: the order of members differs. */
function numberOf(quoted: string): string {
  const object = parsed(quoted);
  if (object === undefined) return quoted;
  const text = JSON.stringify(object, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  const known = objects.indexOf(text);
  return `object ${known === -1 ? objects.push(text) - 1 : known}`;
}

/** The object in quotes, undefined for other text in braces, such as a port of Go. */
function parsed(quoted: string): unknown {
  try {
    return JSON.parse(JSON.parse(quoted) as string);
  } catch {
    return undefined;
  }
}

/** The owners of fields without their times, which also decide their order. */
function owners({ body }: Answer): readonly unknown[] {
  const { managedFields = [] } = (body["metadata"] ?? {}) as { managedFields?: readonly Draft[] };
  const entries = managedFields.map(({ time: _time, ...entry }) => entry);
  const key = ({ manager, operation, subresource }: Draft): string =>
    JSON.stringify([manager, operation, subresource]);
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
