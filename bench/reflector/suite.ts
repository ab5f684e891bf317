import { fixed, type Benchmark, type Suite } from "../framework/suite.ts";
import { SideBySide, type Figures, type Measurement } from "./processes.ts";
import { firstRead } from "./first-read.ts";
import type { Reads, Transport } from "./informers.ts";
import type { Workload } from "./workload.ts";

type Kind = "default" | "stripped" | "client-node";

const nanosecondsPerMs = 1e6;
const quiet = { events: 0, kind: "modified", chunk: 65_536 } as const;
const common = { rounds: 5, warmsUp: false } as const;

const pick =
  (name: string) =>
  (figures: Figures): number =>
    figures[name] ?? Number.NaN;

const inWords = (count: number): string => count.toLocaleString("en-US");

/** The same measurement for both of ours and for the peer. */
function ofEach(measurement: Omit<Measurement, "kind">): Record<Kind, Measurement> {
  return {
    default: { ...measurement, kind: "default" },
    stripped: { ...measurement, kind: "stripped" },
    "client-node": { ...measurement, kind: "client-node" },
  };
}

const reducedForms = ["default", "stripped", "projected"] as const;

/** The same measurement for each reduced form of ours, compared with whole objects. */
function ofReduced(
  measurement: Omit<Measurement, "kind">,
): Record<"whole" | (typeof reducedForms)[number], Measurement> {
  return {
    whole: { ...measurement, kind: "whole" },
    default: { ...measurement, kind: "default" },
    stripped: { ...measurement, kind: "stripped" },
    projected: { ...measurement, kind: "projected" },
  };
}

/** Goals for 50,000 pods, as multiples of the yardsticks. */
const reducedGoals = {
  default: { fetch: 1.2, node: 1.2, heap: 1.18 },
  stripped: { fetch: 0.9, node: 0.78, heap: 0.92, peak: 0.9 },
  projected: { fetch: 0.75, node: 0.62, heap: 0.16, peak: 0.55 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** Goals for events, compared with client-node. */
const eventGoals = {
  fetch: { whole: 1, default: 1.16, stripped: 1.2, projected: 1.6 },
  node: { whole: 1, default: 1.16, stripped: 1.5, projected: 1.8 },
} as const;

const over = (transport: Transport): string => (transport === "node" ? ", Node transport" : "");

/** The initial list for less than one parse: W1 and W8, for a list or a streamed one. */
function syncingReduced(
  pods: number,
  isStreamed: boolean,
  transport: Transport = "fetch",
): Benchmark[] {
  const workload: Workload = { ...quiet, pods, isStreamed };
  const processes = new SideBySide({
    "JSON.parse": { what: "parse", workload },
    ...ofReduced({ what: "sync", workload, isStreamed, transport }),
  });
  const title = `${inWords(pods)} pods${isStreamed ? ", streamed" : ""}${over(transport)}`;
  return ["whole" as const, ...reducedForms].flatMap((form): Benchmark[] => {
    const goals: { fetch?: number; node?: number; heap?: number; peak?: number } =
      form === "whole" || pods < 50_000 ? {} : reducedGoals[form];
    const row = (
      name: string,
      unit: string,
      figure: string,
      from: "JSON.parse" | "whole",
      goal?: number,
    ): Benchmark => ({
      ...common,
      name: `${name}, ${form}, ${title}`,
      unit,
      yardstick: processes.figure(from, pick(figure)),
      subject: processes.figure(form, pick(figure)),
      ...(goal === undefined ? {} : { goal: 1 / goal }),
    });
    const stall = { ...common, unit: "ms", subject: processes.figure(form, pick("ownStallMs")) };
    return [
      row("W1 sync", "ms", "ms", "JSON.parse", goals[transport]),
      row("W8 heap beside JSON", "bytes", "bytes", "JSON.parse", goals.heap),
      {
        ...stall,
        name: `W1 longest stall of the program itself, ${form}, ${title}`,
        yardstick: fixed("40 ms", 40),
        goal: 1,
      },
      {
        ...stall,
        name: `W1 longest stall with and without the operating system's share, ${form}, ${title}`,
        yardstick: processes.figure(form, pick("stallMs")),
      },
      {
        ...stall,
        name: `W8 longest collection and longest stall, ${form}, ${title}`,
        yardstick: stall.subject,
        subject: processes.figure(form, pick("collectionMs")),
      },
    ].concat(
      form === "whole"
        ? []
        : [
            row("W1 peak memory", "MB", "peakMb", "whole", goals.peak),
            row("W1 longest stall", "ms", "stallMs", "whole", 1),
          ],
    );
  });
}

/** The body of the list alone, and the transport's share of a sync of stripped objects: W1. */
function transportShare(transport: Transport): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const processes = new SideBySide({
    "JSON.parse": { what: "parse", workload },
    bytes: { what: "read", workload, transport },
    stripped: { what: "sync", workload, transport, kind: "stripped" },
  });
  const name = transport === "node" ? "Node transport" : "fetch";
  const row = (what: "bytes" | "stripped", figure: string, goal?: number): Benchmark => ({
    ...common,
    name: `W1 ${what} over ${name}, 50,000 pods, ${figure}`,
    unit: "ms",
    yardstick: processes.figure("JSON.parse", pick(figure)),
    subject: processes.figure(what, pick(figure)),
    ...(goal === undefined ? {} : { goal: 1 / goal }),
  });
  return transport === "node"
    ? [row("bytes", "ms", 0.26), row("bytes", "cpuMs"), row("stripped", "ms", 1.15)]
    : [row("bytes", "ms"), row("bytes", "cpuMs"), row("stripped", "ms", 1.3)];
}

/** Memory of a process, as seen by the operating system, after a sync and a collection: W8. */
function settling(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 10_000 };
  const processes = new SideBySide({
    ...ofReduced({ what: "sync", workload }),
    "client-node": { what: "sync", workload, kind: "client-node" },
  });
  return ["whole" as const, ...reducedForms].map((form) => ({
    rounds: 5,
    warmsUp: false,
    name: `W8 memory of the process after a sync, ${form}, 10,000 pods`,
    unit: "MB",
    yardstick: processes.figure("client-node", pick("settledMb")),
    subject: processes.figure(form, pick("settledMb")),
  }));
}

/** Lazy objects that handlers read partially: W1. */
function syncingRead(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const lazy = (reads: Reads): Measurement => ({
    what: "sync",
    workload,
    kind: "stripped",
    reads,
  });
  const processes = new SideBySide({
    "JSON.parse": { what: "parse", workload },
    nothing: lazy("nothing"),
    labels: lazy("labels"),
    "status.phase": lazy("status.phase"),
    everything: lazy("everything"),
  });
  const row = (reads: "nothing" | "labels" | "status.phase" | "everything"): Benchmark => ({
    ...common,
    name: `W1 sync, lazy stripped, handler reads ${reads}, 50,000 pods`,
    unit: "ms",
    yardstick: processes.figure("JSON.parse", pick("ms")),
    subject: processes.figure(reads, pick("ms")),
  });
  return [row("nothing"), row("labels"), row("status.phase"), row("everything")];
}

/** Programs that read `spec` once or more of each object, as whole and as lazy ones: W1. */
const usages = {
  "a controller that reads spec": "spec",
  "indexes by spec": "indexes",
  "a dashboard that serialises everything": "everything",
  "readers of status.phase": "status.phase",
  "a transform that copies": "transform",
} as const satisfies Readonly<Record<string, Reads>>;

function syncingUsages(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 10_000 };
  return Object.entries(usages).map(([usage, reads]) => {
    const sync = { what: "sync", workload, transport: "node", reads } as const;
    const processes = new SideBySide({
      whole: { ...sync, kind: "whole" },
      default: { ...sync, kind: "default" },
    });
    return {
      rounds: 5,
      warmsUp: false,
      name: `W1 sync of lazy objects for ${usage}, 10,000 pods, Node transport`,
      unit: "ms",
      yardstick: processes.figure("whole", pick("ms")),
      subject: processes.figure("default", pick("ms")),
    };
  });
}

/** A burst of events in reduced forms: W3. */
function burstsReduced(
  title: string,
  workload: Workload,
  transport: Transport = "fetch",
): Benchmark[] {
  const perEvent = ({ ms = Number.NaN }: Figures): number =>
    (ms * nanosecondsPerMs) / workload.events;
  const processes = new SideBySide({
    ...ofReduced({ what: "events", workload, transport }),
    "client-node": { what: "events", workload, kind: "client-node" },
  });
  return ["whole" as const, ...reducedForms].map((form) => ({
    rounds: 5,
    warmsUp: false,
    name: `${title}, ${form}${over(transport)}`,
    unit: "ns/event",
    yardstick: processes.figure("client-node", perEvent),
    subject: processes.figure(form, perEvent),
    goal: eventGoals[transport][form],
  }));
}

const protobufForms = [
  "protobuf lazy",
  "protobuf lazy stripped",
  "protobuf status",
  "protobuf projected",
] as const;

/** Compared with lazy objects from JSON, the cheapest form that keeps all members. */
const comparedForms = ["stripped", ...protobufForms] as const;

/** The same measurement for ours over protobuf, in each form, and for lazy objects from JSON. */
function ofProtobuf(
  measurement: Omit<Measurement, "kind">,
): Record<(typeof comparedForms)[number], Measurement> {
  return {
    stripped: { ...measurement, kind: "stripped" },
    "protobuf lazy": { ...measurement, kind: "protobuf lazy" },
    "protobuf lazy stripped": { ...measurement, kind: "protobuf lazy stripped" },
    "protobuf status": { ...measurement, kind: "protobuf status" },
    "protobuf projected": { ...measurement, kind: "protobuf projected" },
  };
}

/** The initial list in protobuf: W1 and W8, for a list or a streamed one. */
function syncingProtobuf(pods: number, isStreamed: boolean, transport: Transport): Benchmark[] {
  const workload: Workload = { ...quiet, pods, isStreamed, hasProtobuf: true };
  const processes = new SideBySide({
    "JSON.parse": { what: "parse", workload },
    ...ofProtobuf({ what: "sync", workload, isStreamed, transport }),
  });
  const streamed = isStreamed ? ", streamed" : "";
  const title = `${inWords(pods)} pods${streamed}${over(transport)}`;
  const goals = { ms: transport === "node" ? 0.6 : 0.65, bytes: 0.75 };
  const row = (form: (typeof comparedForms)[number], figure: "ms" | "bytes"): Benchmark => ({
    ...common,
    name: `${figure === "ms" ? "W1 sync" : "W8 heap beside JSON"}, ${form}, ${title}`,
    unit: figure,
    yardstick: processes.figure("JSON.parse", pick(figure)),
    subject: processes.figure(form, pick(figure)),
    ...(form === "protobuf lazy stripped" && pods >= 50_000 ? { goal: 1 / goals[figure] } : {}),
  });
  return comparedForms.flatMap((form) => [row(form, "ms"), row(form, "bytes")]);
}

function burstsProtobuf(title: string, workload: Workload): Benchmark[] {
  const perEvent = ({ ms = Number.NaN }: Figures): number =>
    (ms * nanosecondsPerMs) / workload.events;
  const processes = new SideBySide({
    ...ofProtobuf({ what: "events", workload: { ...workload, hasProtobuf: true } }),
    "client-node": {
      what: "events",
      workload: { ...workload, hasProtobuf: true },
      kind: "client-node",
    },
  });
  const row = (form: (typeof comparedForms)[number]): Benchmark => ({
    ...common,
    name: `${title}, ${form}`,
    unit: "ns/event",
    yardstick: processes.figure("client-node", perEvent),
    subject: processes.figure(form, perEvent),
    ...(form === "protobuf lazy stripped" ? { goal: 2 } : {}),
  });
  return comparedForms.map(row);
}

/** A list of known objects in reduced forms: W5. */
function relistingReduced(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const processes = new SideBySide(ofReduced({ what: "relist", workload }));
  return reducedForms.map((form) => ({
    rounds: 3,
    warmsUp: false,
    name: `W5 relist of 50,000 unchanged pods, ${form}`,
    unit: "ms",
    yardstick: processes.figure("whole", pick("ms")),
    subject: processes.figure(form, pick("ms")),
  }));
}

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
    { ...sync, yardstick: parse(), subject: of("default", "ms"), goal: 1 / 1.7 },
    { ...sync, yardstick: parse(), subject: of("stripped", "ms"), goal: 1 / 1.2 },
    { ...sync, yardstick: of("client-node", "ms"), subject: of("default", "ms"), goal: 2 },
    { ...stall, yardstick: fixed("90 ms", 90), subject: of("default", "stallMs"), goal: 1 },
    { ...stall, yardstick: fixed("40 ms", 40), subject: of("stripped", "stallMs"), goal: 1 },
    { ...stall, yardstick: of("client-node", "stallMs"), subject: of("default", "stallMs") },
    {
      ...peak,
      yardstick: of("client-node", "peakMb"),
      subject: of("default", "peakMb"),
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

/** Lists that exceed the longest string, or the number of arguments of a call: W2. */
function sizeCliff(title: string, workload: Workload): Benchmark[] {
  const processes = new SideBySide(ofEach({ what: "sync", workload }));
  const cliff = { rounds: 1, warmsUp: false } as const;
  const sync = { ...cliff, name: `W2 sync, ${title}`, unit: "ms" };
  const stall = { ...cliff, name: `W2 longest stall, ${title}`, unit: "ms" };
  return (["default", "stripped"] as const).flatMap((kind) => [
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

/** Same as {@link sizeCliff} in reduced forms. */
function sizeCliffReduced(title: string, workload: Workload): Benchmark[] {
  const processes = new SideBySide(ofReduced({ what: "sync", workload }));
  const cliff = { rounds: 1, warmsUp: false } as const;
  return reducedForms.flatMap((form) => [
    {
      ...cliff,
      name: `W2 sync, ${form}, ${title}`,
      unit: "ms",
      yardstick: processes.figure("whole", pick("ms")),
      subject: processes.figure(form, pick("ms")),
    },
    {
      ...cliff,
      name: `W2 peak memory, ${form}, ${title}`,
      unit: "MB",
      yardstick: processes.figure("whole", pick("peakMb")),
      subject: processes.figure(form, pick("peakMb")),
    },
  ]);
}

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
  const floorRow = { ...row, yardstick: of(floorName), subject: of("default"), goal: 0.95 };
  return [
    ...(floor ? [floorRow] : []),
    { ...row, yardstick: of("client-node"), subject: of("default") },
    { ...row, yardstick: of("client-node"), subject: of("stripped"), goal: 1.3 },
    {
      ...row,
      name: `${title}, longest stall`,
      unit: "ms",
      yardstick: processes.figure("client-node", pick("stallMs")),
      subject: processes.figure("default", pick("stallMs")),
    },
  ];
}

/** A list of known objects: W5. */
function relisting(): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const { default: ours, stripped } = ofEach({ what: "relist", workload });
  const same = new SideBySide({ default: ours, stripped });
  return (["default", "stripped"] as const).map((kind) => ({
    rounds: 5,
    warmsUp: false,
    name: "W5 relist of 50,000 unchanged pods",
    unit: "ms",
    yardstick: { ...same.figure(kind, pick("syncMs")), name: `first sync, ${kind}` },
    subject: same.figure(kind, pick("ms")),
    goal: 1 / 1.1,
  }));
}

/** Same as {@link relisting} with differences, which alone the peer reports: W5 b and c. */
function relistingChanged(title: string, silently: "touch" | "drop", every: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 50_000 };
  const processes = new SideBySide(ofEach({ what: "relist", workload, silently, every }));
  const row = { ...common, rounds: 3, name: `W5 relist of 50,000 pods, ${title}`, unit: "ms" };
  return (["default", "stripped"] as const).flatMap((kind) => [
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

/** Goals compared with the peer, where there are any (LAT-1). */
const latencyGoals: Readonly<Record<string, number>> = {
  "p50 at 100": 1 / 1.15,
  "p50 at 5,000": 1 / 1.15,
  "p90 at 5,000": 1 / 1.5,
  "CPU at 5,000": 1 / 1.1,
};

/** From the server's write to the handler, one event per chunk, and the cost of an event: W10. */
function latency(hertz: number): Benchmark[] {
  const workload: Workload = { ...quiet, pods: 1000 };
  const { default: ours, ...others } = ofEach({ what: "latency", workload, hertz });
  const processes = new SideBySide({
    fetch: ours,
    "Node transport": { ...ours, transport: "node" },
    projected: { ...ours, kind: "projected" },
    ...others,
  });
  const contenders = ["fetch", "Node transport", "stripped", "projected"] as const;
  const row = (transport: (typeof contenders)[number], figure: string): Benchmark => {
    const name = `${figure} at ${inWords(hertz)}`;
    const goal = latencyGoals[name];
    return {
      rounds: 5,
      warmsUp: false,
      name: `W10 latency ${name} Hz, ${transport}`,
      unit: figure === "CPU" ? "µs/event" : "µs",
      yardstick: processes.figure("client-node", pick(figure)),
      subject: processes.figure(transport, pick(figure)),
      ...(goal === undefined ? {} : { goal }),
    };
  };
  return contenders.flatMap((transport) =>
    ["p50", "p90", "p99", "CPU"].map((figure) => row(transport, figure)),
  );
}

/** From the first event to a cache that equals the server's state, with a fault in between: W12. */
function outliving(fault: string): Benchmark {
  const { default: ours, "client-node": peer } = ofEach({ what: "fault", workload: burst, fault });
  const processes = new SideBySide({ default: ours, "client-node": peer });
  return {
    rounds: 1,
    warmsUp: false,
    name: `W12 updates until the cache is right, ${fault}`,
    unit: "ms",
    yardstick: processes.figure("client-node", pick("ms")),
    subject: processes.figure("default", pick("ms")),
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

/** Complete informers over HTTP, compared with the peer and the floors in separate processes. */
export const suite: Suite = {
  name: "reflector",
  benchmarks: () => [
    ...syncing(10_000),
    ...syncing(50_000),
    ...[10_000, 50_000].flatMap((pods) => syncingReduced(pods, false)),
    ...syncingReduced(50_000, true),
    ...syncingReduced(50_000, false, "node"),
    ...transportShare("fetch"),
    ...transportShare("node"),
    ...settling(),
    ...syncingRead(),
    ...syncingUsages(),
    firstRead(),
    ...sizeCliff("150,000 pods", { ...quiet, pods: 150_000 }),
    ...sizeCliffReduced("150,000 pods", { ...quiet, pods: 150_000 }),
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
    ...burstsReduced("W3 updates, 64 KB chunks", { ...burst, events: 50_000 }),
    ...burstsReduced("W3 updates, a chunk each", { ...burst, events: 50_000, chunk: "event" }),
    ...burstsReduced("W3 updates, 64 KB chunks", { ...burst, events: 50_000 }, "node"),
    ...syncingProtobuf(10_000, false, "fetch"),
    ...syncingProtobuf(50_000, false, "fetch"),
    ...syncingProtobuf(50_000, false, "node"),
    ...syncingProtobuf(50_000, true, "fetch"),
    ...burstsProtobuf("W3 updates, 64 KB chunks", { ...burst, events: 50_000 }),
    ...relisting(),
    ...relistingReduced(),
    ...relistingChanged("1 % changed", "touch", 100),
    ...relistingChanged("10 % gone", "drop", 10),
    ...[100, 1000, 5000].flatMap(latency),
    ...faults.map(outliving),
  ],
};
