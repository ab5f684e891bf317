import { fixed, type Benchmark, type Suite } from "../framework/suite.ts";
import { SideBySide, type Figures, type Measurement } from "./processes.ts";
import type { Workload } from "./workload.ts";

type Kind = NonNullable<Measurement["kind"]>;

const nanosecondsPerMs = 1e6;
const quiet = { events: 0, kind: "modified", chunk: 65_536 } as const;
const common = { rounds: 5, warmsUp: false } as const;

const pick =
  (name: string) =>
  (figures: Figures): number =>
    figures[name] ?? Number.NaN;

const inWords = (count: number): string => count.toLocaleString("en-US");

/** The same of both of ours and of the peer. */
function ofEach(measurement: Omit<Measurement, "kind">): Record<Kind, Measurement> {
  return {
    plain: { ...measurement, kind: "plain" },
    stripped: { ...measurement, kind: "stripped" },
    "client-node": { ...measurement, kind: "client-node" },
  };
}

/** The initial list: W1 with 10,000 and 50,000 pods. */
function syncing(pods: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods };
  const processes = new SideBySide({
    "JSON.parse": { what: "parse", workload },
    ...ofEach({ what: "sync", workload }),
  });
  const of = (kind: Kind, name: string) => processes.figure(kind, pick(name));
  const parse = () => processes.figure("JSON.parse", pick("ms"));
  const sync = { ...common, name: `W1 sync, ${inWords(pods)} pods`, unit: "ms" };
  const stall = { ...common, name: `W1 longest stall, ${inWords(pods)} pods`, unit: "ms" };
  const peak = { ...common, name: `W1 peak memory, ${inWords(pods)} pods`, unit: "MB" };
  return [
    { ...sync, yardstick: parse(), subject: of("plain", "ms"), goal: 1 / 1.7 },
    { ...sync, yardstick: parse(), subject: of("stripped", "ms"), goal: 1 / 1.2 },
    { ...sync, yardstick: of("client-node", "ms"), subject: of("plain", "ms"), goal: 2 },
    { ...stall, yardstick: fixed("90 ms", 90), subject: of("plain", "stallMs"), goal: 1 },
    { ...stall, yardstick: fixed("40 ms", 40), subject: of("stripped", "stallMs"), goal: 1 },
    { ...stall, yardstick: of("client-node", "stallMs"), subject: of("plain", "stallMs") },
    {
      ...peak,
      yardstick: of("client-node", "peakMb"),
      subject: of("plain", "peakMb"),
      goal: 1 / 0.55,
    },
    {
      ...peak,
      yardstick: of("client-node", "peakMb"),
      subject: of("stripped", "peakMb"),
      goal: 1 / 0.4,
    },
  ];
}

/** Lists that no string can hold, or no call take as arguments: W2. */
function sizeCliff(title: string, workload: Workload): Benchmark[] {
  const processes = new SideBySide(ofEach({ what: "sync", workload }));
  const cliff = { rounds: 1, warmsUp: false } as const;
  const sync = { ...cliff, name: `W2 sync, ${title}`, unit: "ms" };
  const stall = { ...cliff, name: `W2 longest stall, ${title}`, unit: "ms" };
  return (["plain", "stripped"] as const).flatMap((kind) => [
    {
      ...sync,
      yardstick: processes.figure("client-node", pick("ms")),
      subject: processes.figure(kind, pick("ms")),
    },
    {
      ...stall,
      yardstick: fixed("150 ms", 150),
      subject: processes.figure(kind, pick("stallMs")),
      goal: 1,
    },
  ]);
}

/** A burst of events: W3, W4. */
function bursts(title: string, workload: Workload, floor: boolean): Benchmark[] {
  const perEvent = ({ ms = Number.NaN }: Figures): number =>
    (ms * nanosecondsPerMs) / workload.events;
  const floorName = "read, parse, retain";
  const processes = new SideBySide<Kind | typeof floorName>({
    [floorName]: { what: "retain", workload },
    ...ofEach({ what: "events", workload }),
  });
  const of = (name: Kind | typeof floorName) => processes.figure(name, perEvent);
  const row = { ...common, name: title, unit: "ns/event" };
  const floorRow = { ...row, yardstick: of(floorName), subject: of("plain"), goal: 0.95 };
  return [
    ...(floor ? [floorRow] : []),
    { ...row, yardstick: of("client-node"), subject: of("plain") },
    { ...row, yardstick: of("client-node"), subject: of("stripped"), goal: 1.3 },
    {
      ...row,
      name: `${title}, longest stall`,
      unit: "ms",
      yardstick: processes.figure("client-node", pick("stallMs")),
      subject: processes.figure("plain", pick("stallMs")),
    },
  ];
}

/** A list of what is known already: W5. */
function relisting(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const { plain, stripped } = ofEach({ what: "relist", workload });
  const same = new SideBySide({ plain, stripped });
  return (["plain", "stripped"] as const).map((kind) => ({
    rounds: 5,
    warmsUp: false,
    name: "W5 relist of 50,000 unchanged pods",
    unit: "ms",
    yardstick: { ...same.figure(kind, pick("syncMs")), name: `first sync, ${kind}` },
    subject: same.figure(kind, pick("ms")),
    goal: 1 / 1.1,
  }));
}

/** The same with a difference, which is all that the peer tells of: W5 b and c. */
function relistingChanged(title: string, silently: "touch" | "drop", every: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const processes = new SideBySide(ofEach({ what: "relist", workload, silently, every }));
  const row = { ...common, rounds: 3, name: `W5 relist of 50,000 pods, ${title}`, unit: "ms" };
  return (["plain", "stripped"] as const).flatMap((kind) => [
    {
      ...row,
      yardstick: { ...processes.figure(kind, pick("syncMs")), name: `first sync, ${kind}` },
      subject: processes.figure(kind, pick("ms")),
    },
    {
      ...row,
      yardstick: processes.figure("client-node", pick("ms")),
      subject: processes.figure(kind, pick("ms")),
    },
  ]);
}

/** From the server's write to the handler: W10. */
function latency(hertz: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 1000 };
  const processes = new SideBySide(ofEach({ what: "latency", workload, hertz }));
  return ["p50", "p99"].map((share) => ({
    rounds: 3,
    warmsUp: false,
    name: `W10 latency ${share} at ${inWords(hertz)} Hz`,
    unit: "µs",
    yardstick: processes.figure("client-node", pick(share)),
    subject: processes.figure("plain", pick(share)),
  }));
}

/** From the first event to a cache that is what the server holds, with a fault on the way: W12. */
function outliving(fault: string): Benchmark {
  const { plain, "client-node": peer } = ofEach({ what: "fault", workload: burst, fault });
  const processes = new SideBySide({ plain, "client-node": peer });
  return {
    rounds: 1,
    warmsUp: false,
    name: `W12 updates until the cache is right, ${fault}`,
    unit: "ms",
    yardstick: processes.figure("client-node", pick("ms")),
    subject: processes.figure("plain", pick("ms")),
  };
}

const burst = { pods: 10_000, events: 100_000, kind: "modified", chunk: 65_536 } as const;

const faults = [
  "reset",
  "half-open",
  "expired",
  "no metadata",
  "line separator",
  "throwing handler",
  "older state",
] as const;

/** Whole informers over HTTP against the peer and the floors, each run in a process of its own. */
export const suite: Suite = {
  name: "reflector",
  benchmarks: () => [
    ...syncing(10_000),
    ...syncing(50_000),
    ...sizeCliff("150,000 pods", { ...quiet, pods: 150_000 }),
    ...sizeCliff("200,000 small objects in one namespace", {
      ...quiet,
      pods: 200_000,
      size: "small",
    }),
    ...bursts("W3 updates, 64 KB chunks", burst, true),
    ...bursts("W3 updates, a chunk each", { ...burst, chunk: "event" }, true),
    ...bursts("W3 updates, 50,000 pods", { ...burst, pods: 50_000 }, true),
    ...bursts("W4 churn", { ...burst, kind: "churn" }, false),
    ...bursts("W4 ten hot pods", { ...burst, kind: "hot" }, false),
    ...relisting(),
    ...relistingChanged("1 % changed", "touch", 100),
    ...relistingChanged("10 % gone", "drop", 10),
    ...[100, 1000, 5000].flatMap(latency),
    ...faults.map(outliving),
  ],
};
