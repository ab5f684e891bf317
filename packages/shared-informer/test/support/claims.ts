import type { IndexValues } from "@listwatch/store-indexer";
import type { Informer } from "../../src/index.ts";
import { contentsOf, type ConfigMap } from "./cluster.ts";

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
export type SimulatedIndexes = { readonly namespace: string; readonly kind: string };

/** Values of `data.bad` in a config map: the function that throws for it. */
export const badnesses = ["no", "no", "no", "no", "no", "index", "transform"] as const;

/** Probability that a function throws for a good object. */
const accidentProbability = 0.02;

/** User functions that always throw for some objects, and sometimes for any. */
export class UnreliableFunctions {
  isReliable = false;
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Indexes by name length; throws for an object that is bad for the index. */
  readonly kind = (object: ConfigMap): string => {
    this.#throwFor(object, "index");
    return kindOf(object);
  };

  readonly transform = (object: ConfigMap): ConfigMap => {
    this.#throwFor(object, "transform");
    return object;
  };

  #throwFor({ data }: ConfigMap, what: string): void {
    if (data?.["bad"] === what) throw new Error(`bad for the ${what}`);
    if (this.#random() < accidentProbability && !this.isReliable) throw new Error("an accident");
  }
}

function kindOf({ data }: ConfigMap): string {
  return `kind ${Number(data?.["n"] ?? 0) % 3}`;
}

type Subject = Informer<ConfigMap, SimulatedIndexes>;

/** Returns the wrong claims of an informer about its indexes. */
export function checkIndexClaims(name: string, informer: Subject): string[] {
  const { store } = informer;
  const claimed = store.listIndexErrors().map(({ key }) => key);
  const absent = store.listKeys().filter((key) => {
    const object = store.getByKey(key);
    return object !== undefined && !store.byIndex("kind", kindOf(object)).includes(object);
  });
  const complaints: string[] = [];
  if (sorted(claimed) !== sorted(absent)) {
    complaints.push(
      `${name}: ${sorted(absent)} are in no index, ${sorted(claimed)} are said to be`,
    );
  }
  const indexed = store.listIndexFuncValues("kind").flatMap((kind) => store.byIndex("kind", kind));
  if (indexed.length + absent.length !== store.size) {
    complaints.push(`${name}: ${indexed.length} objects are in the index of ${store.size}`);
  }
  if (absent.length > 0 && informer.status().problem === undefined) {
    complaints.push(`${name}: ${sorted(absent)} are in no index, and there is no problem`);
  }
  return complaints;
}

/** Returns the wrong claims of an informer at rest about its cache. */
export function checkCacheClaims(
  name: string,
  informer: Subject,
  server: Readonly<Record<string, string>>,
  sources: readonly Pick<Informer<never, IndexValues>, "status">[],
): string[] {
  const { freshAsOfMs, hasSynced, problem } = informer.status();
  const wrong = differingKeys(contentsOf(informer.store.list()), server);
  const named = sources.flatMap((source) => source.status().problem?.keys ?? []);
  const complaints: string[] = [];
  if (!hasSynced) complaints.push(`${name}: has not synced`);
  const unnamed = wrong.filter((key) => !named.includes(key));
  if (unnamed.length > 0) complaints.push(`${name}: ${sorted(unnamed)} are wrong and not named`);
  if (wrong.length > 0 && freshAsOfMs !== undefined) {
    complaints.push(`${name}: fresh, although ${sorted(wrong)} are wrong`);
  }
  if (wrong.length > 0 && problem?.reason !== "unusableObject") {
    complaints.push(`${name}: ${problem?.reason} with ${sorted(wrong)} wrong`);
  }
  const isNamed = sources.some((source) => source.status().problem?.reason === "unusableObject");
  if (!isNamed && freshAsOfMs === undefined) complaints.push(`${name}: not fresh without a reason`);
  if (!isNamed && informer.store.listIndexErrors().length === 0 && problem !== undefined) {
    complaints.push(`${name}: a problem that is none: ${String(problem.error)}`);
  }
  return complaints;
}

function differingKeys(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): string[] {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].filter((key) => left[key] !== right[key]);
}

function sorted(keys: readonly string[]): string {
  return keys.toSorted().join(", ");
}
