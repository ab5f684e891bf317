import { type Address, formatAddress, parseRange } from "../validation/addresses.ts";

/** An IP family of services. */
export type IpFamily = Address["family"];

/** A range of cluster addresses. The network address and the broadcast address are not for services. */
export class ServiceRange {
  readonly family: IpFamily;
  /** Address that the service `kubernetes` has if this is the first range. */
  readonly firstAddress: string;
  /** Such as `10.96.0.0/12`. */
  readonly text: string;
  readonly #network: Address;
  readonly #first: bigint;
  readonly #last: bigint;
  // All addresses between the first one and this one are taken.
  #lowestFree: bigint;

  /** @param text such as `10.96.0.0/12`; checked before */
  constructor(text: string) {
    const range = parseRange(text);
    if (range === undefined) throw new TypeError(`Expected a range of addresses, got ${text}`);
    const { address, prefix } = range;
    const hostBits = BigInt(address.bits - prefix);
    const network = (address.value >> hostBits) << hostBits;
    const end = network + (1n << hostBits) - 1n;
    this.text = text;
    this.family = address.family;
    this.#network = { ...address, value: network };
    this.#first = network + 1n;
    this.#last = address.family === "IPv4" ? end - 1n : end;
    this.firstAddress = formatAddress({ ...address, value: this.#first });
    // The first one is that of the service `kubernetes`, whether or not it exists.
    this.#lowestFree = this.#first + 1n;
  }

  /** Whether a service can have an address. */
  contains({ family, value }: Address): boolean {
    return family === this.family && value >= this.#first && value <= this.#last;
  }

  /** Returns the lowest address that is not taken; `undefined` if the range is full. */
  lowestFree(taken: ReadonlySet<string>): string | undefined {
    for (; this.#lowestFree <= this.#last; this.#lowestFree++) {
      const text = formatAddress({ ...this.#network, value: this.#lowestFree });
      if (!taken.has(text)) return text;
    }
    return undefined;
  }

  /** Takes an address back. */
  release(address: Address): void {
    if (this.contains(address) && address.value > this.#first && address.value < this.#lowestFree) {
      this.#lowestFree = address.value;
    }
  }
}
