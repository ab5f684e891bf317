import { Session, stripManagedFields } from "./replay.mjs";

type Fields = Readonly<Record<string, unknown>>;

/** Compares responses with recorded ones. Bindings of matchers are kept for the next response. */
export class Comparison {
  readonly #session = new Session();

  /** Returns the differences of an object; field ownership is not compared. */
  object(expected: unknown, actual: unknown): readonly string[] {
    return this.#differences(expected, stripManagedFields(actual), "object");
  }

  /** Returns the differences of an error response; lists of errors are compared in any order. */
  refusal(expected: unknown, actual: unknown): readonly string[] {
    return this.#differences(anyOrder(canonicalStatus(expected)), canonicalStatus(actual), "body");
  }

  value(expected: unknown, actual: unknown, at: string): readonly string[] {
    return this.#differences(expected, actual, at);
  }

  /** Drops bindings of resource versions, which differ between two writes. */
  forgetVersions(): void {
    for (const name of this.#session.vars.keys()) {
      if (/^rv\d/.test(name)) this.#session.vars.delete(name);
    }
  }

  #differences(expected: unknown, actual: unknown, at: string): readonly string[] {
    const differences: string[] = [];
    this.#session.match(expected, actual, at, differences);
    return differences;
  }
}

/**
 * Sorts the lists in a message, which the server prints in the order of Go's maps: the errors of an
 * invalid object, and the lines of a conflict. A diff of the server's internal types is cut.
 */
export function canonicalMessage(message: unknown): unknown {
  if (isFields(message) && typeof message["$tmpl"] === "string") {
    return { $tmpl: canonicalMessage(message["$tmpl"]) };
  }
  if (typeof message !== "string") return message;
  const text = message.split("\n@@")[0] ?? "";
  const [, subject, errors] = /^(.* is invalid: )\[([\s\S]*?)\]?$/.exec(text) ?? [];
  if (subject !== undefined && errors !== undefined) {
    return `${subject}[${errors.split(", ").toSorted().join(", ")}]`;
  }
  return text.split("\n").toSorted().join("\n");
}

function canonicalStatus(status: unknown): unknown {
  if (!isFields(status) || status["kind"] !== "Status") return status;
  // Recorded errors lack the empty metadata of a Status.
  const { details, message, metadata: _metadata, ...rest } = status;
  return {
    ...rest,
    message: canonicalMessage(message),
    ...(isFields(details) && { details: canonicalDetails(details) }),
  };
}

function canonicalDetails(details: Fields): Fields {
  const { causes } = details;
  if (!Array.isArray(causes)) return details;
  return { ...details, causes: causes.map(canonicalCause) };
}

function canonicalCause(cause: unknown): unknown {
  return isFields(cause) ? { ...cause, message: canonicalMessage(cause["message"]) } : cause;
}

// Compares the causes of a recorded error in any order.
function anyOrder(status: unknown): unknown {
  if (!isFields(status)) return status;
  const { details } = status;
  if (!isFields(details) || !Array.isArray(details["causes"])) return status;
  return { ...status, details: { ...details, causes: { $unordered: details["causes"] } } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
