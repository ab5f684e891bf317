/**
 * Where an event of a stream ends: at a line feed, after the length in four bytes that precedes it,
 * or nowhere, in an answer in protobuf that is not a watch.
 */
export type EventFraming = "lines" | "lengths" | "none";

const lineFeed = 10;
// k8s.io/apimachinery framer.go: `lengthDelimitedFrameWriter`.
const lengthBytes = 4;

/** Counts the events that end in the bytes it is shown, wherever these are cut. */
export class EventCounter {
  readonly #framing: EventFraming;
  #count = 0;
  // The frame in progress: missing bytes of its length, the length so far, and missing bytes of the
  // rest.
  #lengthMissing = lengthBytes;
  #length = 0;
  #missing = 0;

  constructor(framing: EventFraming) {
    this.#framing = framing;
  }

  get count(): number {
    return this.#count;
  }

  add(bytes: Uint8Array): void {
    switch (this.#framing) {
      case "lines":
        this.#addLines(bytes);
        break;
      case "lengths":
        this.#addFrames(bytes);
        break;
      case "none":
    }
  }

  #addLines(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      this.#count++;
    }
  }

  #addFrames(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#lengthMissing > 0) {
        this.#length = this.#length * 256 + (bytes[at] ?? 0);
        at++;
        this.#lengthMissing--;
        if (this.#lengthMissing > 0) continue;
        this.#missing = this.#length;
      }
      const taken = Math.min(this.#missing, bytes.length - at);
      at += taken;
      this.#missing -= taken;
      if (this.#missing > 0) continue;
      this.#count++;
      this.#lengthMissing = lengthBytes;
      this.#length = 0;
    }
  }
}
