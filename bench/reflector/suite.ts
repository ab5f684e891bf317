import { fixed, type Benchmark, type Contender, type Suite } from "../framework/suite.ts";
import { figure, type Figures, type Measurement } from "./processes.ts";
import type { Workload } from "./workload.ts";

type Kind = NonNullable<Measurement["kind"]>;

const rounds = 5;
const nanosecondsPerMs = 1e6;
const quiet = { events: 0, kind: "modified", chunk: 65_536 } as const;

const pick =
  (name: string) =>
  (figures: Figures): number =>
    figures[name] ?? Number.NaN;

/** The initial list: W1 with 10,000 and 50,000 pods. */
function syncing(pods: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods };
  const of = (kind: Kind, name: string): Contender =>
    figure(kind, { what: "sync", kind, workload }, pick(name));
  const parse = figure("JSON.parse", { what: "parse", workload }, pick("ms"));
  const name = (text: string): string => `W1 ${text}, ${pods.toLocaleString("en-US")} pods`;
  return [
    {
      name: name("sync"),
      unit: "ms",
      yardstick: parse,
      subject: of("plain", "ms"),
      goal: 1 / 1.7,
      rounds,
    },
    {
      name: name("sync"),
      unit: "ms",
      yardstick: parse,
      subject: of("stripped", "ms"),
      goal: 1 / 1.2,
      rounds,
    },
    {
      name: name("sync"),
      unit: "ms",
      yardstick: of("client-node", "ms"),
      subject: of("plain", "ms"),
      goal: 2,
      rounds,
    },
    {
      name: name("longest stall"),
      unit: "ms",
      yardstick: fixed("90 ms", 90),
      subject: of("plain", "stallMs"),
      goal: 1,
      rounds,
    },
    {
      name: name("longest stall"),
      unit: "ms",
      yardstick: fixed("40 ms", 40),
      subject: of("stripped", "stallMs"),
      goal: 1,
      rounds,
    },
    {
      name: name("longest stall"),
      unit: "ms",
      yardstick: of("client-node", "stallMs"),
      subject: of("plain", "stallMs"),
      rounds,
    },
    {
      name: name("peak memory"),
      unit: "MB",
      yardstick: of("client-node", "peakMb"),
      subject: of("plain", "peakMb"),
      goal: 1 / 0.55,
      rounds,
    },
    {
      name: name("peak memory"),
      unit: "MB",
      yardstick: of("client-node", "peakMb"),
      subject: of("stripped", "peakMb"),
      goal: 1 / 0.4,
      rounds,
    },
  ];
}

/** A list that no string can hold, which client-node fails on: W2. */
function sizeCliff(): Benchmark {
  const workload: Workload = { ...quiet, pods: 150_000 };
  return {
    name: "W2 longest stall, 150,000 pods",
    unit: "ms",
    yardstick: fixed("150 ms", 150),
    subject: figure("plain", { what: "sync", kind: "plain", workload }, pick("stallMs")),
    goal: 1,
    rounds: 1,
  };
}

/** A burst of events: W3, W4. */
function bursts(title: string, workload: Workload, floor: boolean): Benchmark[] {
  const perEvent = ({ ms = Number.NaN }: Figures): number =>
    (ms * nanosecondsPerMs) / workload.events;
  const of = (kind: Kind): Contender => figure(kind, { what: "events", kind, workload }, perEvent);
  const peer = of("client-node");
  const common = { name: title, unit: "ns/event", rounds };
  const benchmarks: Benchmark[] = [
    { ...common, yardstick: peer, subject: of("plain") },
    { ...common, yardstick: of("client-node"), subject: of("stripped"), goal: 1.3 },
  ];
  if (!floor) return benchmarks;
  const retain = figure("read, parse, retain", { what: "retain", workload }, perEvent);
  return [{ ...common, yardstick: retain, subject: of("plain"), goal: 0.95 }, ...benchmarks];
}

/** A list of what is known already: W5. The peer tells nobody of it, so that its end cannot be seen. */
function relisting(kind: "plain" | "stripped"): Benchmark {
  const measurement = { what: "relist", kind, workload: { ...quiet, pods: 50_000 } } as const;
  return {
    name: "W5 relist of 50,000 unchanged pods",
    unit: "ms",
    yardstick: figure(`first sync, ${kind}`, measurement, pick("syncMs")),
    subject: figure(kind, measurement, pick("ms")),
    rounds,
    goal: 1 / 1.1,
  };
}

/** From the server's write to the handler: W10. */
function latency(hertz: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 1000 };
  return ["p50", "p99"].map((share) => {
    const of = (kind: Kind): Contender =>
      figure(kind, { what: "latency", kind, workload, hertz }, pick(share));
    return {
      name: `W10 latency ${share} at ${hertz.toLocaleString("en-US")} Hz`,
      unit: "µs",
      yardstick: of("client-node"),
      subject: of("plain"),
      rounds: 3,
    };
  });
}

const burst = { pods: 10_000, events: 100_000, kind: "modified", chunk: 65_536 } as const;

/** Whole informers over HTTP against the peer and the floors, each run in a process of its own. */
export const suite: Suite = {
  name: "reflector",
  benchmarks: () => [
    ...syncing(10_000),
    ...syncing(50_000),
    sizeCliff(),
    ...bursts("W3 updates, 64 KB chunks", burst, true),
    ...bursts("W3 updates, a chunk each", { ...burst, chunk: "event" }, true),
    ...bursts("W4 churn", { ...burst, kind: "churn" }, false),
    ...bursts("W4 ten hot pods", { ...burst, kind: "hot" }, false),
    ...(["plain", "stripped"] as const).map(relisting),
    ...[100, 1000, 5000].flatMap(latency),
  ],
};
