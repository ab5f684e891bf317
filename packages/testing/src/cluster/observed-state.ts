import type { ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ClusterState } from "../simulation/scenario.ts";

/** Longest text of an object in an error. */
const longestText = 1000;

/** Whether the value of a condition means that it holds. */
export function holds<R>(value: R): value is Exclude<R, false | null | string | undefined> {
  return value !== false && value !== undefined && value !== null && typeof value !== "string";
}

interface Evaluation<R> {
  readonly value: R;
  readonly error: undefined;
}

interface FailedEvaluation {
  readonly value: undefined;
  readonly error: { readonly thrown: unknown };
}

/** Calls a condition. One that throws does not hold. */
export async function evaluate<R>(
  condition: () => R | Promise<R>,
): Promise<Evaluation<Awaited<R>> | FailedEvaluation> {
  try {
    return { value: await condition(), error: undefined };
  } catch (error) {
    return { value: undefined, error: { thrown: error } };
  }
}

/** The state of a cluster, which remembers the objects that were read. */
export class ObservedState implements ClusterState {
  readonly #state: ClusterState;
  readonly #seen = new Map<string, unknown>();

  constructor(state: ClusterState) {
    this.#state = state;
  }

  get nowMs(): number {
    return this.#state.nowMs;
  }

  list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[] {
    const objects = this.#state.list(resource);
    this.#seen.set(resource.resource, objects);
    return objects;
  }

  get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined {
    const object = this.#state.get(resource, key);
    this.#seen.set(`${resource.resource} ${key}`, object);
    return object;
  }

  /** Describes what a condition returned, and what it read. */
  describe(returned: unknown): string {
    const texts = [...this.#seen].map(([name, value]) => `${name}: ${shown(value)}`);
    return [typeof returned === "string" ? returned : shown(returned), ...texts].join("\n  ");
  }
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (name, member: unknown) =>
    name === "managedFields" ? undefined : member,
  );
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
