import { Session, stripManagedFields } from "./replay.mjs";

type Fields = Readonly<Record<string, unknown>>;

/** Compares answers with recorded ones. Values that matchers bind are kept for the next answer. */
export class Comparison {
  readonly #session = new Session();

  /** The differences of an object; field ownership is not compared. */
  object(expected: unknown, actual: unknown): readonly string[] {
    return this.#differences(expected, stripManagedFields(actual), "object");
  }

  /** The differences of a refusal; lists of errors are compared in any order. */
  refusal(expected: unknown, actual: unknown): readonly string[] {
    return this.#differences(anyOrder(canonicalStatus(expected)), canonicalStatus(actual), "body");
  }

  /** The differences of any values. */
  value(expected: unknown, actual: unknown, at: string): readonly string[] {
    return this.#differences(expected, actual, at);
  }

  /** The versions of two writes differ: what was bound to resource versions is forgotten. */
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
 * A message whose lists are sorted, because the server puts them in the order of Go's maps: the
 * errors of an invalid object, and the lines of a conflict. A diff of the server's own types is
 * cut.
 */
export function canonicalMessage(message: unknown): unknown {
  if (isFields(message) && typeof message["$tmpl"] === "string") {
    return { $tmpl: canonicalMessage(message["$tmpl"]) };
  }
  if (typeof message !== "string") return message;
  const text = message.split("\n@@")[0] ?? "";
  const [, subject, errors] = /^(.* is invalid: )\[([\s\S]*)\]$/.exec(text) ?? [];
  if (subject !== undefined && errors !== undefined) {
    return `${subject}[${errors.split(", ").toSorted().join(", ")}]`;
  }
  return text.split("\n").toSorted().join("\n");
}

function canonicalStatus(status: unknown): unknown {
  if (!isFields(status) || status["kind"] !== "Status") return status;
  // Recordings of refusals leave out the empty metadata of a Status.
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

// The causes of a recorded refusal in any order.
function anyOrder(status: unknown): unknown {
  if (!isFields(status)) return status;
  const { details } = status;
  if (!isFields(details) || !Array.isArray(details["causes"])) return status;
  return { ...status, details: { ...details, causes: { $unordered: details["causes"] } } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
