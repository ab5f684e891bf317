import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { send } from "../../../conformance/fidelity/client.ts";
import { Comparison } from "../../../conformance/fidelity/compare.ts";
import { recordings } from "../../../conformance/fidelity/differences.ts";
import { fetchTransport } from "../../../conformance/fidelity/replay.mjs";
import { recorderToken, wholeServer } from "../../../conformance/fidelity/scenario.ts";
import type { ControlPlane } from "../control-plane.ts";
import { type Answer, call } from "../kinds/api-connection.ts";
import { recorder } from "../kinds/check-kinds.ts";
import type { Draft } from "../kinds/generate-object.ts";
import { matched } from "../kinds/matched-body.ts";
import { apiVersionOf, kindsOf, namespace } from "../kinds/observe-kinds.ts";
import type { Counts } from "../run-program.ts";
import { knownDifferences } from "./known-differences.ts";
import { type Mutation, mutationsOf } from "./mutated-objects.ts";

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

interface Servers {
  readonly real: Ask;
  readonly fake: Ask;
}

const atOnce = 8;
// A definition is established within a second.
const pauseMs = 100;
const maxAsked = 600;
const shownDifferences = 20;

/**
 * Compares the answers of a real server, which no one else uses, with those of the fake one: to
 * creates and to updates, as dry runs, of objects of all kinds that differ from a valid one in one
 * place.
 *
 * @param every sends each mutation whose number is a multiple of it
 */
export async function runMutationChecks(plane: ControlPlane, every: number): Promise<Counts> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(plane.pki, "ca.crt")) });
  const connection = { agent, server: plane.server, token: plane.tokenOf(recorder.name) };
  try {
    const paths = new Map(
      (await kindsOf(connection)).map((one) => [`${apiVersionOf(one)} ${one.kind}`, one.path]),
    );
    const servers = { real: call.bind(undefined, connection), fake: askFake() };
    await prepare(servers);
    const check = new MutationCheck(servers, every);
    for (const object of recordedObjects()) {
      const path = paths.get(`${String(object["apiVersion"])} ${String(object["kind"])}`);
      if (path !== undefined) await check.compareObject(path, object);
    }
    return check.report();
  } finally {
    agent.destroy();
  }
}

function askFake(): Ask {
  const server = new FakeApiServer(wholeServer);
  const transport = fetchTransport((request) => server.fetch(request));
  const headers = { authorization: `Bearer ${recorderToken}` };
  return async (method, path, body) =>
    (await send(
      (request) => transport({ ...request, headers: { ...request.headers, ...headers } }),
      method,
      path,
      body,
    )) as Answer;
}

async function prepare({ fake, real }: Servers): Promise<void> {
  for (const ask of [fake, real]) {
    await ask("POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
  }
}

/** The objects that the recordings create, with names, in the namespace of this test. */
function* recordedObjects(): Generator<Draft> {
  for (const file of ["defaults.json", "kinds.json"]) {
    const { observations } = JSON.parse(readFileSync(new URL(file, recordings), "utf8")) as {
      readonly observations: readonly { readonly input: Draft; readonly kind: string }[];
    };
    for (const { input, kind } of observations) {
      // They are requests, which no server stores.
      if (/Review$/.test(kind)) continue;
      const { generateName, namespace: _namespace, ...metadata } = input["metadata"] as Draft;
      const name = metadata["name"] ?? `${String(generateName)}x`;
      const { involvedObject } = input;
      const isEvent = typeof involvedObject === "object";
      yield {
        ...withoutEmptyParts(input),
        metadata: { ...metadata, name },
        ...(isEvent && { involvedObject: { ...involvedObject, namespace } }),
      };
    }
  }
}

/**
 * An object without empty lists: the fake server counts them as absent, which each answer about the
 * object would show.
 */
function withoutEmptyParts(object: Draft): Draft {
  const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const json = JSON.stringify(object, (_, value: unknown) =>
    isEmptyList(value) ? undefined : value,
  );
  return JSON.parse(json) as Draft;
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

function differencesOf(sent: Draft, real: Answer, fake: Answer): readonly string[] {
  const comparison = new Comparison();
  const warnings = comparison.value(real.warnings, fake.warnings, "warnings");
  if (real.status !== fake.status) {
    const texts = [real, fake].map(({ body, status }) => `${status} ${String(body["message"])}`);
    return [`  real: ${texts[0]}`, `  fake: ${texts[1]}`];
  }
  const bodies =
    real.status < 300
      ? comparison.object(matched(real.body, sent), fake.body)
      : comparison.refusal(real.body, fake.body);
  return [...bodies, ...warnings].map((line) => `  ${line}`);
}

/** Updates as a dry run. Reads the version first: a server may write a status meanwhile. */
async function update(ask: Ask, url: string, mutated: Draft): Promise<Answer> {
  const { body } = await ask("GET", url);
  const { resourceVersion } = body["metadata"] as Draft;
  const metadata = mutated["metadata"] as Draft | undefined;
  const sent = { ...mutated, metadata: { ...metadata, resourceVersion } };
  return ask("PUT", `${url}?dryRun=All`, sent);
}

/** Waits until a definition is served: before, a real server lets more of it change. */
async function establish(ask: Ask, url: string): Promise<void> {
  for (let asked = 0; asked < maxAsked; asked++) {
    const { status } = (await ask("GET", url)).body as { readonly status?: Draft };
    const conditions = (status?.["conditions"] ?? []) as readonly Draft[];
    const isServed = conditions.some(
      (one) => one["type"] === "Established" && one["status"] === "True",
    );
    if (isServed) return;
    await setTimeout(pauseMs);
  }
  throw new Error(`${url} was not established after ${maxAsked} requests`);
}

async function remove(ask: Ask, url: string): Promise<void> {
  await ask("DELETE", url, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  const { body, status } = await ask("GET", url);
  if (status !== 200) return;
  // Finalizers keep it.
  const { finalizers: _finalizers, ...metadata } = body["metadata"] as Draft;
  await ask("PUT", url, { ...body, metadata });
}
