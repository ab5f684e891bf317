import { jsonDecoder, type Decoder, type WatchEvent } from "@listwatch/client";
import { ObjectLimit } from "../../packages/client/src/json/object-limit.ts";
import { createReducedDecoder } from "../../packages/client/src/json/reduced-decoder.ts";

/** What sources of tests make of objects. */
interface SourceForm {
  readonly decoder: Decoder;
  readonly lazy: boolean;
  readonly fields: readonly string[] | undefined;
  readonly encoding: "json" | "protobuf";
}

const process: unknown = Reflect.get(globalThis, "process");
const environment: unknown = process && Reflect.get(Object(process), "env");
const wanted: unknown = environment && Reflect.get(Object(environment), "OBJECT_FORM");
if (![undefined, "", "lazy", "fields", "protobuf"].includes(wanted as string | undefined)) {
  throw new Error(`Expected OBJECT_FORM to be lazy, fields or protobuf, got ${String(wanted)}`);
}

// Objects of tests are small; here the smallest members are lazy, too.
const reduced = { stripManagedFields: false, limit: new ObjectLimit(undefined), lazyLength: 0 };

/**
 * Plain objects, or what the environment asks for: with `OBJECT_FORM=lazy` all sources make lazy
 * objects, with `OBJECT_FORM=fields` they keep the fields that the tests read, with
 * `OBJECT_FORM=protobuf` they ask for protobuf. `npm run test:forms` runs the suites of informers
 * so.
 */
export const sourceForm: SourceForm = {
  decoder: {
    ...jsonDecoder(),
    inForm: (form) => Promise.resolve(createReducedDecoder(form, reduced)),
  },
  lazy: wanted === "lazy",
  encoding: wanted === "protobuf" ? "protobuf" : "json",
  fields: wanted === "fields" ? ["metadata", "data", "spec", "status", "immutable"] : undefined,
};

/** What a source makes of an object that was not sent over HTTP. */
export function inSourceForm<T extends object>(object: T): T {
  const { fields, lazy } = sourceForm;
  if (!lazy && fields === undefined) return object;
  const line = `${JSON.stringify({ type: "ADDED", object })}\n`;
  const events: WatchEvent<T>[] = [];
  createReducedDecoder({ lazy, fields }, reduced)
    .watch<T>()
    .write(new TextEncoder().encode(line), events);
  const [event] = events;
  if (event?.type !== "ADDED") throw new Error("Expected an object, got none");
  return event.object;
}
