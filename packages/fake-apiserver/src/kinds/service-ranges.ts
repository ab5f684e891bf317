import { texts } from "../base/read-fields.ts";
import { parseAddress } from "../validation/addresses.ts";
import type { KindHost } from "./define-kind.ts";
import { type IpFamily, ServiceRange } from "./service-range.ts";

const serviceRanges = { group: "networking.k8s.io", plural: "servicecidrs" };

/** The ranges of cluster addresses: those of the server, and of stored ServiceCIDRs. */
export class ServiceRanges {
  readonly #host: Pick<KindHost, "objectsOf" | "services">;
  readonly #known = new Map<string, ServiceRange>();

  constructor(host: Pick<KindHost, "objectsOf" | "services">) {
    this.#host = host;
  }

  /** Returns the families of the cluster, the default one first. */
  families(): readonly IpFamily[] {
    return [...new Set(this.#own().map(({ family }) => family))];
  }

  /** Returns the reason for which a service cannot have an address, whether or not it is taken. */
  refuse(address: string, dryRun: boolean): string | undefined {
    const parsed = parseAddress(address);
    if (parsed === undefined) return undefined;
    const all = this.#all();
    if (all.some((range) => range.contains(parsed))) return undefined;
    // A dry run asks the allocator of the address's family, which names its range.
    const own = dryRun ? all.find(({ family }) => family === parsed.family) : undefined;
    return own === undefined
      ? "the provided network does not match the current range"
      : `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${own.text}`;
  }

  /** Returns a free address; `undefined` for a family without ranges. */
  lowestFree(family: string, taken: ReadonlySet<string>): string | undefined {
    const ranges = this.#all().filter((range) => range.family === family);
    for (const range of ranges) {
      const free = range.lowestFree(taken);
      if (free !== undefined) return free;
    }
    return ranges.length === 0 ? undefined : "full";
  }

  /** Takes an address back. */
  release(address: string): void {
    const parsed = parseAddress(address);
    if (parsed === undefined) return;
    for (const range of this.#known.values()) range.release(parsed);
  }

  #own(): readonly ServiceRange[] {
    return this.#rangesOf(this.#stored().own ?? this.#host.services.ranges);
  }

  #all(): readonly ServiceRange[] {
    return [...this.#own(), ...this.#rangesOf(this.#stored().others)];
  }

  // A real server stores its own ranges as the ServiceCIDR `kubernetes`.
  #stored(): { readonly own: readonly string[] | undefined; readonly others: readonly string[] } {
    let own: readonly string[] | undefined;
    const others: string[] = [];
    for (const object of this.#host.objectsOf(serviceRanges)) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      const ranges = texts(object, "spec", "cidrs");
      if (object.metadata.name === "kubernetes") own = ranges;
      else others.push(...ranges);
    }
    return { own, others };
  }

  #rangesOf(ranges: readonly string[]): readonly ServiceRange[] {
    return ranges.map((text) => {
      const range = this.#known.get(text) ?? new ServiceRange(text);
      this.#known.set(text, range);
      return range;
    });
  }
}
