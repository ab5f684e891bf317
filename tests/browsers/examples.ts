import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "./browser.ts";

/** Result of an example on a page. */
export interface ExampleResult {
  readonly title: string;
  readonly problem: string | undefined;
}

interface Shown {
  readonly state: string;
  readonly output: string;
}

const examples = join(import.meta.dirname, "../../examples");
/** Time limit of an example, which takes one or two seconds. */
const limitMs = 300_000;

// Bodies of functions that run on the page.
const names = `
  return [...document.querySelectorAll("live-example")].map((one) => one.dataset.name);
`;
const find = `
  const one = document.querySelector('live-example[data-name="' + arguments[0] + '"]');
`;
const run = `${find}
  one.querySelector("button.run").click();
`;
const show = `${find}
  return { state: one.dataset.state, output: one.querySelector(".output").textContent };
`;

/** Runs the examples on pages. Each must print the same as on Node. */
export async function* checkExamples(
  browser: Browser,
  origin: string,
  paths: readonly string[],
): AsyncGenerator<ExampleResult> {
  let count = 0;
  for (const path of paths) {
    await browser.goto(origin + path);
    for (const name of (await browser.evaluate(names)) as string[]) {
      count++;
      const title = `${path}: ${name}`;
      yield { title, problem: await runExample(browser, name) };
    }
  }
  // Guards against a site without examples.
  if (count < 40) yield { title: "the site has its examples", problem: `It has ${count}` };
}

/** @returns the problem of an example */
async function runExample(browser: Browser, name: string): Promise<string | undefined> {
  await shown(browser, name, "ready");
  await browser.evaluate(run, name);
  const { state, output } = await shown(browser, name, "done");
  const expected = readFileSync(join(examples, `${name}.out`), "utf8").trimEnd();
  if (state !== "done") return `It is ${state} after ${limitMs} ms, and shows\n${output}`;
  return output.trimEnd() === expected ? undefined : `expected\n${expected}\ngot\n${output}`;
}

/** Returns the output of an example once it has the wanted state, or at the time limit. */
async function shown(browser: Browser, name: string, wanted: string): Promise<Shown> {
  const end = performance.now() + limitMs;
  for (;;) {
    const now = (await browser.evaluate(show, name)) as Shown;
    if (now.state === wanted || performance.now() > end) return now;
    await sleep(50);
  }
}
