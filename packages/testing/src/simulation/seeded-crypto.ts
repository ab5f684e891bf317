/** Functions of WebCrypto that draw random numbers. */
interface SeededCrypto {
  readonly getRandomValues: <T extends ArrayBufferView>(view: T) => T;
  readonly randomUUID: () => string;
}

export function seededCrypto(random: () => number): SeededCrypto {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(random() * 256);
    return view;
  };
  return {
    getRandomValues: fill,
    randomUUID: () => {
      const bytes = fill(new Uint8Array(16));
      // Version 4 and variant of RFC 9562.
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  };
}

type Callback = (error: null, value: unknown) => void;

/**
 * Functions of `node:crypto` that draw random numbers. Their last argument may be a callback.
 *
 * @param original the function `randomBytes` of the runtime, whose buffers are filled again
 */
export function seededNodeCrypto(
  random: () => number,
  original: unknown,
): Readonly<Record<string, unknown>> {
  const { getRandomValues, randomUUID } = seededCrypto(random);
  const fill = (target: ArrayBuffer | ArrayBufferView, offset = 0, size?: number): unknown => {
    const view = ArrayBuffer.isView(target) ? target : new Uint8Array(target);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    // Offset and size count elements.
    const width = "BYTES_PER_ELEMENT" in view ? Number(view.BYTES_PER_ELEMENT) : 1;
    const end = size === undefined ? bytes.length : (offset + size) * width;
    getRandomValues(bytes.subarray(offset * width, end));
    return target;
  };
  const drawBytes = withCallback((size: number) => {
    const buffer: unknown =
      typeof original === "function" ? Reflect.apply(original, undefined, [size]) : undefined;
    return ArrayBuffer.isView(buffer) ? getRandomValues(buffer) : buffer;
  });
  return {
    getRandomValues,
    randomUUID,
    randomBytes: drawBytes,
    pseudoRandomBytes: drawBytes,
    prng: drawBytes,
    rng: drawBytes,
    randomFill: withCallback(fill),
    randomFillSync: fill,
    randomInt: withCallback((from: number, to?: number) => {
      const least = to === undefined ? 0 : from;
      return least + Math.floor(random() * ((to ?? from) - least));
    }),
  };
}

/** Adds the form of a function that passes its value to a callback, as its last argument. */
function withCallback(work: (...args: never[]) => unknown) {
  return (...args: readonly unknown[]): unknown => {
    const last = args.at(-1);
    if (!isCallback(last)) return Reflect.apply(work, undefined, args);
    const value: unknown = Reflect.apply(work, undefined, args.slice(0, -1));
    queueMicrotask(() => last(null, value));
    return undefined;
  };
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}
