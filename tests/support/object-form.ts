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
const forms = ["lazy", "fields", "protobuf", "protobuf fields"];
if (![undefined, "", ...forms].includes(wanted as string | undefined)) {
  throw new Error(`Expected OBJECT_FORM to be one of ${forms.join(", ")}, got ${String(wanted)}`);
}
const [isProtobuf, keepsFields] = ["protobuf", "fields"].map((part) =>
  String(wanted).split(" ").includes(part),
);

// Objects of tests are small; here the smallest members are lazy, too.
const reduced = { stripManagedFields: false, limit: new ObjectLimit(undefined), lazyLength: 0 };

/**
 * Plain objects, or what the environment asks for: with `OBJECT_FORM=lazy` all sources make lazy
 * objects, with `OBJECT_FORM=fields` they keep the fields that the tests read, with
 * `OBJECT_FORM=protobuf` they ask for protobuf, with `OBJECT_FORM="protobuf fields"` they keep
 * fields of that. `npm run test:forms` runs the suites of informers so.
 */
export const sourceForm: SourceForm = {
  decoder: {
    ...jsonDecoder(),
    inForm: (form) => Promise.resolve(createReducedDecoder(form, reduced)),
  },
  lazy: wanted === "lazy",
  encoding: isProtobuf === true ? "protobuf" : "json",
  fields: keepsFields === true ? ["metadata", "data", "spec", "status", "immutable"] : undefined,
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
