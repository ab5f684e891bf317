import * as coreFifoTesting from "listwatch/testing";
import * as fakeApiserver from "listwatch/fake-apiserver";
import * as resourcesApps from "listwatch/resources/apps/v1";
import * as resourcesCore from "listwatch/resources/core/v1";
import * as resourcesNetworking from "listwatch/resources/networking.k8s.io/v1";
import * as resourcesPolicy from "listwatch/resources/policy/v1";
import * as all from "listwatch";
import { ConsoleBatches, type ConsoleBatch, type ConsoleLine } from "./console-batches.ts";
import { consoleText } from "./console-text.ts";
import { PendingTimers } from "./pending-timers.ts";
import { Program } from "./program.ts";

/** Message from the worker of an example to the page. */
export type RunnerMessage =
  | { readonly kind: "printed"; readonly batch: ConsoleBatch }
  | { readonly kind: "done" };

const modules: Readonly<Record<string, unknown>> = {
  listwatch: all,
  "listwatch/fake-apiserver": fakeApiserver,
  "listwatch/resources/apps/v1": resourcesApps,
  "listwatch/resources/core/v1": resourcesCore,
  "listwatch/resources/networking.k8s.io/v1": resourcesNetworking,
  "listwatch/resources/policy/v1": resourcesPolicy,
  "listwatch/testing": coreFifoTesting,
};

function report(message: RunnerMessage): void {
  postMessage(message);
}

const batches = new ConsoleBatches(
  (batch) => {
    report({ kind: "printed", batch });
  },
  () => performance.now(),
);

/** How long after the last timer a program may still go on by itself, such as by an import. */
const quietMs = 200;

let program: Program | undefined;
let hasReturned = false;
const timers = new PendingTimers(endWhenQuiet);

function print(kind: ConsoleLine["kind"], text: string): void {
  const isFirst = !batches.isWaiting;
  batches.print({ kind, text });
  if (isFirst && batches.isWaiting) {
    timers.setTimeout(() => {
      batches.send();
    }, 50);
  }
}

function printError(error: unknown): void {
  const place = program?.placeOf(error) ?? "";
  const text = error instanceof Error ? `${error.name}: ${error.message}` : consoleText([error]);
  print("error", place === "" ? text : `${text} (${place})`);
}

/** Reports the end when the program has returned and nothing is left that could go on. */
function endWhenQuiet(): void {
  timers.setTimeout(() => {
    if (!hasReturned || timers.areThere) return;
    batches.send();
    report({ kind: "done" });
  }, quietMs);
}

function load(name: string): unknown {
  if (!Object.hasOwn(modules, name)) {
    const names = Object.keys(modules).join(", ");
    throw new Error(`Couldn't import "${name}": only ${names} are available here`);
  }
  return modules[name];
}

async function run(source: string): Promise<void> {
  program = new Program(source);
  await program.run(load);
}

const kinds = { log: "log", info: "log", debug: "log", warn: "warn", error: "error" } as const;
for (const [name, kind] of Object.entries(kinds)) {
  const write = (...values: readonly unknown[]): void => {
    print(kind, consoleText(values));
  };
  Object.assign(console, { [name]: write });
}
addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
  event.preventDefault();
  printError(event.reason);
});
addEventListener("error", (event: ErrorEvent) => {
  event.preventDefault();
  printError(event.error ?? event.message);
});
addEventListener("message", (event: MessageEvent<string>) => {
  run(event.data)
    .catch(printError)
    .finally(() => {
      hasReturned = true;
      endWhenQuiet();
    });
});
