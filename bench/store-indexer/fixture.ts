import { keyOf, NaiveStore } from "./naive-store.ts";
import { newStore, podsOf, type Pod, type Pods } from "./pods.ts";

/** Two versions of the same pods, and a store of each kind with them, created on demand. */
export class Fixture {
  readonly size: number;
  #versions: readonly [readonly Pod[], readonly Pod[]] | undefined;
  #keys: readonly string[] | undefined;
  #naive: NaiveStore<Pod> | undefined;
  #pods: Pods | undefined;

  constructor(size: number) {
    this.size = size;
  }

  get versions(): readonly [readonly Pod[], readonly Pod[]] {
    return (this.#versions ??= [podsOf(this.size, "1"), podsOf(this.size, "2")]);
  }

  get keys(): readonly string[] {
    return (this.#keys ??= this.versions[0].map(keyOf));
  }

  get naive(): NaiveStore<Pod> {
    if (this.#naive === undefined) {
      this.#naive = new NaiveStore();
      this.#naive.replace(this.versions[0]);
    }
    return this.#naive;
  }

  get pods(): Pods {
    if (this.#pods === undefined) {
      this.#pods = newStore();
      this.#pods.replace(this.versions[0], "1");
    }
    return this.#pods;
  }
}
