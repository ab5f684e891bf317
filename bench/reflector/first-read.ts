import { jsonDecoder } from "@listwatch/client";
import type { Benchmark } from "../framework/suite.ts";

const objects = 2000;
/** Approximate size of a member's JSON. */
const memberBytes = 1500;

/** The JSON of the status of each object. */
const statuses = Array.from({ length: objects }, (_, index) => {
  const condition = (type: string): object => ({
    type,
    status: index % 3 === 0 ? "False" : "True",
    lastTransitionTime: "2026-11-01T10:00:00Z",
    reason: `Reason${index % 7}`,
  });
  const conditions: object[] = [];
  const text = (): string =>
    JSON.stringify({ phase: "Running", podIP: `10.0.0.${index % 250}`, conditions });
  while (text().length < memberBytes) conditions.push(condition(`Condition${conditions.length}`));
  return text();
});

/** The cost of the first read of a lazy member, compared with parsing its JSON. */
export function firstRead(): Benchmark {
  return {
    name: "first read of a lazy member of 1.5 KB",
    unit: "ns/member",
    yardstick: {
      name: "JSON.parse",
      sample: () => nanosecondsEach(statuses, (text) => JSON.parse(text)),
    },
    subject: {
      name: "lazy",
      sample: async () => nanosecondsEach(await lazyObjects(), ({ status }) => status),
    },
    goal: 1 / 1.2,
  };
}

interface WithStatus {
  readonly status?: unknown;
}

async function lazyObjects(): Promise<readonly WithStatus[]> {
  const decoder = await jsonDecoder().inForm?.({ lazy: true });
  if (decoder === undefined) throw new Error("Expected a decoder with a lazy form");
  const items = statuses.map(
    (status, index) => `{"metadata":{"name":"pod-${index}"},"status":${status}}`,
  );
  const text = `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[${items.join(",")}]}`;
  const list = decoder.list<WithStatus>();
  const made: WithStatus[] = [];
  list.write(new TextEncoder().encode(text), made);
  list.end(made);
  return made;
}

function nanosecondsEach<T>(all: readonly T[], read: (one: T) => unknown): number {
  const start = performance.now();
  let known = 0;
  for (const one of all) if (read(one) !== undefined) known++;
  const ms = performance.now() - start;
  if (known !== objects) throw new Error(`Expected ${objects} members, got ${known}`);
  return (ms * 1e6) / objects;
}
