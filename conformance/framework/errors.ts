import { KeyError, ListwatchError } from "@listwatch/core-fifo";
import { encode } from "./values.ts";

/** What a processor throws that was told to fail. */
export class ProcessError extends Error {
  override readonly name: string = "ProcessError";
}

/** Kinds of the traces by the code of our errors; a unit adds its own. */
export type ErrorKinds = Readonly<Record<string, string>>;

const commonKinds: ErrorKinds = {
  LW_INVALID_OPTIONS: "InvalidOptions",
  LW_KEY_FORMAT: "KeyFormat",
  LW_NO_METADATA: "NoMetadata",
  LW_QUEUE_CLOSED: "Closed",
  LW_RESOURCE_VERSION: "InvalidResourceVersion",
  LW_TRANSFORM: "TransformError",
};

/**
 * An error in the notation of the traces. An error that no kind is known for is thrown on: it is a
 * defect, not a result.
 */
export function describeError(error: unknown, kinds: ErrorKinds = {}): Record<string, unknown> {
  if (error instanceof ProcessError) return { kind: "ProcessError" };
  if (error instanceof KeyError) return { kind: "KeyError", object: encode(error.object) };
  if (error instanceof ListwatchError) {
    const kind = kinds[error.code] ?? commonKinds[error.code];
    if (kind !== undefined) return { kind };
  }
  throw error;
}

/** The result of a call without a value: `{}`, or its error. */
export function outcome(action: () => void, kinds?: ErrorKinds): Record<string, unknown> {
  try {
    action();
    return {};
  } catch (error) {
    return { error: describeError(error, kinds) };
  }
}
