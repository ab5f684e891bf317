import { Indexer, namespaceIndex } from "@listwatch/store-indexer";

export interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

export type Pods = Indexer<Pod, { namespace: string }>;

export const namespaceCount = 500;

export function newStore(): Pods {
  return new Indexer<Pod, { namespace: string }>({ indexers: namespaceIndex });
}

// Shared, so that two million pods fit into the memory of a small machine.
const webLabels = { app: "web", tier: "1" };
const otherLabels = { app: "db", tier: "2" };

/** Neighbours are in different namespaces, like pods in the order of their creation. */
export function podsOf(size: number, version: string): Pod[] {
  return Array.from({ length: size }, (_, index) => ({
    metadata: {
      namespace: flat(`namespace-${index % namespaceCount}`),
      name: flat(`pod-${index}`),
      resourceVersion: `${version}${index}`,
      labels: index % 40 === 0 ? webLabels : otherLabels,
    },
  }));
}

// V8 concatenates strings lazily and flattens them when they are first read, which would count as
// the store's memory.
export function flat(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}

export function expectCount(got: number, expected: number): void {
  if (got !== expected) throw new Error(`Expected ${expected} objects, got ${got}`);
}
