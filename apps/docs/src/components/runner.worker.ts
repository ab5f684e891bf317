import { transform } from "sucrase";
import * as client from "@listwatch/client";
import * as controller from "@listwatch/controller";
import * as coreFifo from "@listwatch/core-fifo";
import * as coreFifoTesting from "@listwatch/core-fifo/testing";
import * as fakeApiserver from "@listwatch/fake-apiserver";
import * as reflector from "@listwatch/reflector";
import * as sharedInformer from "@listwatch/shared-informer";
import * as storeIndexer from "@listwatch/store-indexer";
import * as workqueue from "@listwatch/workqueue";
// @boundaries-ignore the helpers of the examples, which no package exports
import * as cluster from "../../../../examples/support/cluster.ts";
// @boundaries-ignore the helpers of the examples, which no package exports
import * as serve from "../../../../examples/support/serve.ts";
import { consoleText } from "./console-text.ts";

/** What a worker that runs an example reports to the page. */
export type RunnerMessage =
  | { readonly kind: "log" | "warn" | "error"; readonly text: string }
  | { readonly kind: "done" };

const modules: Readonly<Record<string, unknown>> = {
  "@listwatch/client": client,
  "@listwatch/controller": controller,
  "@listwatch/core-fifo": coreFifo,
  "@listwatch/core-fifo/testing": coreFifoTesting,
  "@listwatch/fake-apiserver": fakeApiserver,
  "@listwatch/reflector": reflector,
  "@listwatch/shared-informer": sharedInformer,
  "@listwatch/store-indexer": storeIndexer,
  "@listwatch/workqueue": workqueue,
  "../support/cluster.ts": cluster,
  "../support/serve.ts": serve,
};

function report(message: RunnerMessage): void {
  postMessage(message);
}

function printer(kind: "log" | "warn" | "error"): (...values: readonly unknown[]) => void {
  return (...values) => {
    report({ kind, text: consoleText(values) });
  };
}

function load(name: string): unknown {
  if (!Object.hasOwn(modules, name)) {
    const names = Object.keys(modules).join(", ");
    throw new Error(`Couldn't import "${name}": here are only ${names}`);
  }
  return modules[name];
}

/**
 * Runs a program as an ES module would run: types removed, imports resolved to the bundled
 * packages, `await` allowed.
 */
async function run(source: string): Promise<void> {
  const { code } = transform(source, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
  });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await (AsyncFunction("require", "exports", code) as (...args: unknown[]) => Promise<void>)(
    load,
    {},
  );
}

Object.assign(console, {
  log: printer("log"),
  info: printer("log"),
  warn: printer("warn"),
  error: printer("error"),
});
addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
  report({ kind: "error", text: consoleText([event.reason]) });
});
addEventListener("message", (event: MessageEvent<string>) => {
  run(event.data)
    .catch((error: unknown) => {
      report({ kind: "error", text: consoleText([error]) });
    })
    .finally(() => {
      report({ kind: "done" });
    });
});
