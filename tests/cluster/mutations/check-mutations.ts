import type { ControlPlane } from "../control-plane.ts";
import type { Answer } from "../kinds/api-connection.ts";
import type { Draft } from "../kinds/generate-object.ts";
import type { Counts } from "../run-program.ts";
import { knownDifferences } from "./known-differences.ts";
import { type Mutation, mutationsOf } from "./mutated-objects.ts";
import {
  type Ask,
  differencesOf,
  establish,
  remove,
  type Servers,
  withServers,
} from "./servers.ts";

const atOnce = 8;
const shownDifferences = 20;

/**
 * Compares the answers of a real server, which no one else uses, with those of the fake one: to
 * creates and to updates, as dry runs, of objects of all kinds that differ from a valid one in one
 * place.
 *
 * @param every sends each mutation whose number is a multiple of it
 */
export function runMutationChecks(plane: ControlPlane, every: number): Promise<Counts> {
  return withServers(plane, async (servers, recorded) => {
    const check = new MutationCheck(servers, every);
    for (const { object, path } of recorded) await check.compareObject(path, object);
    return check.report();
  });
}

class MutationCheck {
  readonly #servers: Servers;
  readonly #every: number;
  readonly #counts = { passed: 0, failed: 0 };
  readonly #met = new Set<string>();
  #number = 0;
  #listed = 0;

  constructor(servers: Servers, every: number) {
    this.#servers = servers;
    this.#every = every;
  }

  /** Compares the creates of an object's mutations, creates the object, and compares updates. */
  async compareObject(path: string, object: Draft): Promise<void> {
    await this.#compareAll(object, (ask, mutated) => ask("POST", `${path}?dryRun=All`, mutated));
    const { fake, real } = this.#servers;
    const created = await real("POST", path, object);
    if (created.status !== 201 || (await fake("POST", path, object)).status !== 201) return;
    const { name } = object["metadata"] as { readonly name: string };
    const url = `${path}/${name}`;
    if (object["kind"] === "CustomResourceDefinition") await establish(real, url);
    await this.#compareAll(object, (ask, mutated) => update(ask, url, mutated));
    for (const ask of [real, fake]) await remove(ask, url);
  }

  report(): Counts {
    const { failed, passed } = this.#counts;
    console.log(`ok   mutations: ${passed} answers are those of the real server`);
    if (this.#listed > 0) console.log(`     mutations: ${this.#listed} differ as listed`);
    const unmet = this.#every > 1 ? [] : knownDifferences.filter(({ why }) => !this.#met.has(why));
    for (const { why } of unmet) console.log(`FAIL mutations: nothing differs by: ${why}`);
    return { passed, failed: failed + unmet.length };
  }

  async #compareAll(
    object: Draft,
    request: (ask: Ask, mutated: Draft) => Promise<Answer>,
  ): Promise<void> {
    const chosen = [...mutationsOf(object)].filter(() => ++this.#number % this.#every === 0);
    const work = async (): Promise<void> => {
      for (let next = chosen.shift(); next !== undefined; next = chosen.shift()) {
        await this.#compare(next, (ask, mutated) => request(ask, mutated));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  async #compare(
    { name, object }: Mutation,
    request: (ask: Ask, mutated: Draft) => Promise<Answer>,
  ): Promise<void> {
    const real = await request(this.#servers.real, object).catch(String);
    const subject = `${String(object["apiVersion"])} ${String(object["kind"])}: ${name}`;
    if (typeof real === "string") {
      // A Job without completions makes a handler of 1.37.2 panic.
      console.log(`     mutations: the real server has no answer to ${subject}: ${real}`);
      return;
    }
    const fake = await request(this.#servers.fake, object);
    const differences = differencesOf(object, real, fake);
    if (differences.length === 0) return void this.#counts.passed++;
    const text = `${subject}\n${differences.join("\n")}`;
    const known = knownDifferences.find(({ pattern }) => pattern.test(text));
    if (known !== undefined) {
      this.#met.add(known.why);
      this.#listed++;
      return;
    }
    if (++this.#counts.failed > shownDifferences) return;
    console.log(`FAIL mutations: ${text.replaceAll(/a{300,}/g, "300 letters")}`);
  }
}

/** Updates as a dry run. Reads the version first: a server may write a status meanwhile. */
async function update(ask: Ask, url: string, mutated: Draft): Promise<Answer> {
  const { body } = await ask("GET", url);
  const { resourceVersion } = body["metadata"] as Draft;
  const metadata = mutated["metadata"] as Draft | undefined;
  const sent = { ...mutated, metadata: { ...metadata, resourceVersion } };
  return ask("PUT", `${url}?dryRun=All`, sent);
}
