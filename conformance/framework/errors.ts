import { KeyError, ListwatchError } from "@listwatch/core-fifo";
import { encode } from "./values.ts";

/** The error of a processor that must fail. */
export class ProcessError extends Error {
  override readonly name: string = "ProcessError";
}

/** Error kinds in the traces by our error codes; a unit adds further ones. */
export type ErrorKinds = Readonly<Record<string, string>>;

const commonKinds: ErrorKinds = {
  LW_INVALID_OPTIONS: "InvalidOptions",
  LW_KEY_FORMAT: "KeyFormat",
  LW_NO_METADATA: "NoMetadata",
  LW_QUEUE_CLOSED: "Closed",
  LW_RESOURCE_VERSION: "InvalidResourceVersion",
  LW_TRANSFORM: "TransformError",
};

/** Encodes an error for the traces. Rethrows an unknown error, which is a defect, not a result. */
export function describeError(error: unknown, kinds: ErrorKinds = {}): Record<string, unknown> {
  if (error instanceof ProcessError) return { kind: "ProcessError" };
  if (error instanceof KeyError) return { kind: "KeyError", object: encode(error.object) };
  if (error instanceof ListwatchError) {
    const kind = kinds[error.code] ?? commonKinds[error.code];
    if (kind !== undefined) return { kind };
  }
  throw error;
}

/** Returns the result of a call without a value: `{}`, or its error. */
export function outcome(action: () => void, kinds?: ErrorKinds): Record<string, unknown> {
  try {
    action();
    return {};
  } catch (error) {
    return { error: describeError(error, kinds) };
  }
}
