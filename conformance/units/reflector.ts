import { silentLog } from "@listwatch/core-fifo";
import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  clientGoBehaviour,
  Reflector,
  type ReflectorErrorContext,
  type ReflectorOptions,
  type ReflectorStore,
} from "@listwatch/reflector";
import { compareRequests, ScriptedSource } from "../framework/scripted-source.ts";
import type { CaseData, Failure, Unit } from "../framework/unit.ts";
import { canonical, isRecord, listIfAny } from "../framework/values.ts";
import {
  describeFailure,
  digest,
  widgetKey,
  widgetTransform,
  type Widget,
} from "../framework/widgets.ts";

interface ScriptStep {
  readonly do: string;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly [argument: string]: unknown;
}

function scriptOf(script: unknown): readonly ScriptStep[] {
  if (Array.isArray(script) && script.every(isScriptStep)) return script;
  throw new TypeError("Couldn't read the case: expected a script");
}

function isScriptStep(value: unknown): value is ScriptStep {
  return isRecord(value) && typeof value["do"] === "string" && isRecord(value["expect"]);
}

type StoreMethod = "add" | "update" | "delete" | "replace" | "resync";

/** Records every call and keeps a map of its objects. */
class RecordingStore implements ReflectorStore<Widget> {
  readonly objects = new Map<string, string>();
  readonly bookmark?: (resourceVersion: string) => void;
  readonly updateResourceVersion?: (resourceVersion: string) => void;
  readonly #transform: ((object: Widget) => Widget) | undefined;
  readonly #now: () => number;
  readonly #failures = new Map<string, number>();
  #calls: { readonly call: readonly unknown[]; readonly atMs: number }[] = [];

  constructor(options: Readonly<Record<string, unknown>>, now: () => number) {
    this.#now = now;
    this.#transform = widgetTransform(options["transform"]);
    if (options["storeBookmarks"] === true) this.bookmark = (rv) => this.#note("bookmark", rv);
    if (options["storeObservesRV"] === true) {
      this.updateResourceVersion = (rv) => this.#note("rv", rv);
    }
  }

  add(object: Widget): void {
    this.#upsert("add", object);
  }

  update(object: Widget): void {
    this.#upsert("update", object);
  }

  delete(object: Widget): void {
    const key = widgetKey(object);
    this.#note("delete", key, digest(object));
    this.#mayFail("delete");
    this.objects.delete(key);
  }

  replace(objects: readonly Widget[], resourceVersion: string): void {
    const entries = objects.map((object) => [widgetKey(object), digest(object)] as const);
    this.#note("replace", resourceVersion, entries);
    this.#mayFail("replace");
    this.objects.clear();
    for (const [key, value] of entries) this.objects.set(key, value);
  }

  resync(): void {
    this.#note("resync");
    this.#mayFail("resync");
  }

  transformer(): ((object: Widget) => Widget) | undefined {
    return this.#transform;
  }

  failNext(method: string, count: number): void {
    this.#failures.set(method, count);
  }

  /** Returns the calls since the previous call of this method, in the notation of the traces. */
  takeCalls(stepStartMs: number): unknown[] {
    const calls = this.#calls.map(({ call, atMs }) =>
      atMs === stepStartMs ? [...call] : [...call, { at: atMs - stepStartMs }],
    );
    this.#calls = [];
    return calls;
  }

  #upsert(method: "add" | "update", object: Widget): void {
    const key = widgetKey(object);
    this.#note(method, key, digest(object));
    this.#mayFail(method);
    this.objects.set(key, digest(object));
  }

  #note(...call: readonly unknown[]): void {
    this.#calls.push({ call, atMs: this.#now() });
  }

  #mayFail(method: StoreMethod): void {
    const left = this.#failures.get(method) ?? 0;
    if (left === 0) return;
    this.#failures.set(method, left - 1);
    throw new Error(`The recording store refuses ${method}`);
  }
}

class ReflectorCase {
  readonly #clock = new SimulatedClock();
  readonly #stop = new AbortController();
  readonly #source: ScriptedSource;
  readonly #store: RecordingStore;
  readonly #reflector: Reflector<Widget>;
  readonly #lenient: readonly unknown[];
  #errors: Readonly<Record<string, unknown>>[] = [];
  #stepStartMs = 0;
  #state: "created" | "running" | "stopping" | "stopped" = "created";
  #expectedState: Record<string, unknown> = {
    store: {},
    lastSyncRV: "",
    pending: "none",
    state: "created",
  };

  constructor(caseData: CaseData) {
    const options = isRecord(caseData["options"]) ? caseData["options"] : {};
    this.#lenient = Array.isArray(caseData["lenient"]) ? caseData["lenient"] : [];
    this.#source = new ScriptedSource(this.#clock, {
      watchListSupported: options["watchList"] === true,
    });
    this.#store = new RecordingStore(options, () => this.#clock.now());
    if (options["startCancelled"] === true) this.#stop.abort();
    this.#reflector = new Reflector({
      ...clientGoOptions(options),
      listerWatcher: this.#source,
      store: this.#store,
      clock: this.#clock,
      random: seededRandom(1),
      onError: (error, context) => this.#onError(error, context),
    });
  }

  async run(script: readonly ScriptStep[]): Promise<readonly Failure[]> {
    for (const [index, step] of script.entries()) {
      this.#stepStartMs = this.#clock.now();
      this.#source.beginStep();
      await this.#perform(step);
      const failures = this.#compare(index, step);
      if (failures.length > 0) {
        this.#stop.abort();
        return failures;
      }
    }
    return [];
  }

  async #perform(step: ScriptStep): Promise<void> {
    switch (step.do) {
      case "start":
        this.#state = "running";
        void this.#reflector.run(this.#stop.signal).finally(() => (this.#state = "stopped"));
        break;
      case "stop":
        if (this.#state === "running") this.#state = "stopping";
        this.#stop.abort();
        break;
      case "advance":
        await this.#clock.advance(Number(step["ms"]));
        break;
      case "await":
        await this.#clock.advance(Number(step["maxMs"]));
        break;
      case "failStore":
        this.#store.failNext(String(step["method"]), Number(step["count"]));
        break;
      default:
        this.#source.perform(step);
    }
    await this.#clock.settle();
  }

  #compare(index: number, step: ScriptStep): Failure[] {
    const { expect } = step;
    const failures: Failure[] = [];
    const check = (member: string, expected: unknown, got: unknown): void => {
      if (canonical(expected) !== canonical(got)) {
        failures.push(mismatch(index, step, member, expected, got));
      }
    };
    const { requests, cancelled, streamStopped } = this.#source.happenings;
    const wantedRequests = listIfAny(expect, "requests");
    const wrongRequests = compareRequests(wantedRequests, requests);
    if (wrongRequests !== undefined) {
      failures.push(mismatch(index, step, "requests", wantedRequests, wrongRequests));
    }
    check("cancelled", expect["cancelled"] ?? [], cancelled);
    const mustStop = Array.isArray(expect["streamStopped"]) ? expect["streamStopped"] : [];
    check("streamStopped", mustStop, this.#withoutExtra(streamStopped, mustStop));
    check("errors", expect["errors"] ?? [], this.#errors);
    this.#errors = [];
    const wantedCalls = Array.isArray(expect["storeCalls"]) ? expect["storeCalls"] : [];
    check(
      "storeCalls",
      wantedCalls,
      inRecordedOrder(this.#store.takeCalls(this.#stepStartMs), wantedCalls),
    );
    this.#compareState(expect, check);
    return failures;
  }

  #withoutExtra(got: readonly number[], wanted: readonly unknown[]): readonly number[] {
    return this.#lenient.includes("streamStopped") ? got.filter((n) => wanted.includes(n)) : got;
  }

  #compareState(
    expect: Readonly<Record<string, unknown>>,
    check: (member: string, expected: unknown, got: unknown) => void,
  ): void {
    const state: Readonly<Record<string, unknown>> = {
      store: Object.fromEntries(this.#store.objects),
      lastSyncRV: this.#reflector.lastSyncResourceVersion,
      pending: this.#source.pending,
      state: this.#state,
    };
    for (const [member, got] of Object.entries(state)) {
      if (member in expect) this.#expectedState[member] = expect[member];
      const expected = this.#expectedState[member];
      const early =
        member === "state" &&
        got === "stopped" &&
        expected === "stopping" &&
        this.#lenient.includes("state");
      if (!early) check(member, expected, got);
    }
  }

  #onError(error: unknown, { operation, recovery }: ReflectorErrorContext): void {
    // client-go calls its handler for nothing else (REF-5, and the table of ends of a watch).
    if (recovery !== "relist") return;
    const phase = { list: "list", replace: "sync", openWatch: "watch" };
    const named = Object.entries(phase).find(([name]) => name === operation)?.[1];
    if (named === undefined) return;
    const atMs = this.#clock.now() - this.#stepStartMs;
    const kind = named === "sync" ? { kind: "store" } : describeFailure(error);
    this.#errors.push({ phase: named, ...kind, ...(atMs === 0 ? {} : { at: atMs }) });
  }
}

/** client-go's values where ours differ, and the options of the case. */
function clientGoOptions(
  options: Readonly<Record<string, unknown>>,
): Omit<ReflectorOptions<Widget>, "listerWatcher" | "store"> {
  const { pageSize, minWatchTimeoutMs, maxInternalErrorRetryMs, resyncMs, shouldResync } = options;
  const expectedType =
    options["expected"] === "any" ? undefined : { apiVersion: "example.com/v1", kind: "Widget" };
  return {
    log: silentLog,
    list: { pageSize: asNumber(pageSize) },
    watch: {
      expectedType,
      minWatchTimeoutMs: asNumber(minWatchTimeoutMs),
      resyncMs: asNumber(resyncMs),
      ...(shouldResync === undefined ? {} : { shouldResync: () => shouldResync === true }),
    },
    retry: {
      backoff: customBackoff(options["backoff"]),
      maxInternalErrorRetryMs: asNumber(maxInternalErrorRetryMs),
    },
    behaviour: clientGoBehaviour,
  };
}

/** Defaults to Go's zero values: no jitter, and no cap. */
function customBackoff(
  backoff: unknown,
): NonNullable<ReflectorOptions<unknown>["retry"]>["backoff"] {
  if (!isRecord(backoff)) return {};
  const { baseMs, factor, capMs, jitter } = backoff;
  return {
    baseMs: asNumber(baseMs),
    factor: asNumber(factor),
    capMs: asNumber(capMs) || Number.MAX_SAFE_INTEGER,
    jitter: asNumber(jitter) ?? 0,
  };
}

function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Sorts an unordered replace by key, as in the traces. */
function inRecordedOrder(calls: readonly unknown[], wanted: readonly unknown[]): unknown[] {
  return calls.map((call, index) => {
    const expected: unknown = wanted[index];
    if (!Array.isArray(call) || !Array.isArray(expected)) return call;
    if (expected[0] !== "replaceUnordered" || call[0] !== "replace") return call;
    const [, resourceVersion, entries, ...time]: unknown[] = call;
    const sorted = Array.isArray(entries)
      ? entries.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
      : entries;
    return ["replaceUnordered", resourceVersion, sorted, ...time];
  });
}

function mismatch(
  index: number,
  step: ScriptStep,
  member: string,
  expected: unknown,
  got: unknown,
): Failure {
  return { step: index, op: `${step.do}, ${member}`, expected: expected ?? null, got: got ?? null };
}

export const unit: Unit = {
  name: "reflector",
  run: (caseData) => new ReflectorCase(caseData).run(scriptOf(caseData["script"])),
};
