import * as client from "@listwatch/client";
import * as controller from "@listwatch/controller";
import * as manager from "@listwatch/manager";
import * as coreFifo from "@listwatch/core-fifo";
import * as coreFifoTesting from "@listwatch/core-fifo/testing";
import * as telemetry from "@listwatch/telemetry";
import * as simulation from "@listwatch/testing";
import * as streams from "@listwatch/streams";
import * as webhooks from "@listwatch/webhooks";
import * as fakeApiserver from "@listwatch/fake-apiserver";
import * as reflector from "@listwatch/reflector";
import * as resourcesApps from "@listwatch/resources/apps/v1";
import * as resourcesCore from "@listwatch/resources/core/v1";
import * as resourcesEvents from "@listwatch/resources/events.k8s.io/v1";
import * as resourcesNetworking from "@listwatch/resources/networking.k8s.io/v1";
import * as resourcesBatch from "@listwatch/resources/batch/v1";
import * as resourcesCoordination from "@listwatch/resources/coordination.k8s.io/v1";
import * as resourcesPolicy from "@listwatch/resources/policy/v1";
import * as sharedInformer from "@listwatch/shared-informer";
import * as storeIndexer from "@listwatch/store-indexer";
import * as workqueue from "@listwatch/workqueue";
import * as all from "listwatch";
import layers from "virtual:layers";
import { ConsoleBatches, type ConsoleBatch, type ConsoleLine } from "./console-batches.ts";
import { consoleText } from "./console-text.ts";
import { confine } from "./live/confinement.ts";
import { failedImport } from "./live/import-check.ts";
import { ServerObserver, type ServerState } from "./live/server-observer.ts";
import { PendingTimers } from "./pending-timers.ts";
import { Program } from "./program.ts";

/** Message from the worker of an example to the page. */
export type RunnerMessage =
  | { readonly kind: "printed"; readonly batch: ConsoleBatch }
  | { readonly kind: "servers"; readonly servers: readonly ServerState[] }
  | { readonly kind: "done" };

const observers: ServerObserver[] = [];

/** A fake server whose state the page shows. Programs cannot tell it from the original. */
const FakeApiServer = class extends fakeApiserver.FakeApiServer {
  static {
    Object.defineProperty(this, "name", { value: "FakeApiServer" });
  }

  constructor(...options: ConstructorParameters<typeof fakeApiserver.FakeApiServer>) {
    super(...options);
    observers.push(new ServerObserver(this));
    if (observers.length === 1) reportServersAgain();
  }
};
const observedFake = { ...fakeApiserver, FakeApiServer };

const modules: Readonly<Record<string, unknown>> = {
  "@listwatch/client": client,
  "@listwatch/controller": controller,
  "@listwatch/manager": manager,
  "@listwatch/core-fifo": coreFifo,
  "@listwatch/core-fifo/testing": coreFifoTesting,
  "@listwatch/fake-apiserver": observedFake,
  "@listwatch/reflector": reflector,
  "@listwatch/resources/apps/v1": resourcesApps,
  "@listwatch/resources/core/v1": resourcesCore,
  "@listwatch/resources/events.k8s.io/v1": resourcesEvents,
  "@listwatch/resources/networking.k8s.io/v1": resourcesNetworking,
  "@listwatch/resources/batch/v1": resourcesBatch,
  "@listwatch/resources/coordination.k8s.io/v1": resourcesCoordination,
  "@listwatch/resources/policy/v1": resourcesPolicy,
  "@listwatch/shared-informer": sharedInformer,
  "@listwatch/store-indexer": storeIndexer,
  "@listwatch/workqueue": workqueue,
  listwatch: all,
  "listwatch/fake-apiserver": observedFake,
  "listwatch/resources/apps/v1": resourcesApps,
  "listwatch/resources/core/v1": resourcesCore,
  "listwatch/resources/events.k8s.io/v1": resourcesEvents,
  "listwatch/resources/networking.k8s.io/v1": resourcesNetworking,
  "listwatch/resources/batch/v1": resourcesBatch,
  "listwatch/resources/coordination.k8s.io/v1": resourcesCoordination,
  "listwatch/resources/policy/v1": resourcesPolicy,
  "@listwatch/telemetry": telemetry,
  "listwatch/telemetry": telemetry,
  "@listwatch/testing": simulation,
  "listwatch/testing": simulation,
  "@listwatch/streams": streams,
  "listwatch/streams": streams,
  "@listwatch/webhooks": webhooks,
  "listwatch/webhooks": webhooks,
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
/** The page shows the state of the servers as often as this. */
const serversPeriodMs = 250;

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

function reportServers(): void {
  if (observers.length === 0) return;
  report({ kind: "servers", servers: observers.map((observer) => observer.state()) });
}

function reportServersAgain(): void {
  timers.setTimeout(() => {
    reportServers();
    reportServersAgain();
  }, serversPeriodMs);
}

/** Reports the end when the program has returned and nothing is left that could go on. */
function endWhenQuiet(): void {
  timers.setTimeout(() => {
    if (!hasReturned || timers.areThere) return;
    batches.send();
    reportServers();
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
  const failed = failedImport(source, modules, layers);
  if (failed !== undefined) throw new SyntaxError(failed);
  confine();
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
