import { jsonDecoder, type Decoder, type WatchEvent } from "@listwatch/client";
import { ObjectLimit } from "../../packages/client/src/json/object-limit.ts";
import { createFormDecoder } from "../../packages/client/src/json/form-decoder.ts";

/** Form of the objects in tests' sources. */
interface SourceForm {
  readonly decoder: Decoder;
  readonly lazy: boolean | undefined;
  readonly fields: readonly string[] | undefined;
  readonly encoding: "json" | "protobuf";
}

const process: unknown = Reflect.get(globalThis, "process");
const environment: unknown = process && Reflect.get(Object(process), "env");
const wanted: unknown = environment && Reflect.get(Object(environment), "OBJECT_FORM");
const forms = ["whole", "lazy", "fields", "protobuf", "protobuf fields"];
if (![undefined, "", ...forms].includes(wanted as string | undefined)) {
  throw new Error(`Expected OBJECT_FORM to be one of ${forms.join(", ")}, got ${String(wanted)}`);
}
const [isProtobuf, keepsFields] = ["protobuf", "fields"].map((part) =>
  String(wanted).split(" ").includes(part),
);

/** Whether even the smallest members are lazy. */
export const isLazyThroughout: boolean = wanted === "lazy";

// Objects in tests are small.
const form = {
  stripManagedFields: false,
  limit: new ObjectLimit(undefined),
  ...(isLazyThroughout ? { lazyLength: 0 } : {}),
};

/**
 * The form of objects that the environment selects; that of programs by default, in which large
 * members are lazy. `OBJECT_FORM=lazy` makes all members lazy, and `whole` none. `fields` keeps the
 * fields that tests read. `protobuf` requests protobuf, and `"protobuf fields"` does both. `npm run
 * test:forms` runs the informers' suites in each form.
 */
export const sourceForm: SourceForm = {
  decoder: {
    ...jsonDecoder(),
    inForm: (wantedForm) => Promise.resolve(createFormDecoder(wantedForm, form)),
  },
  lazy: wanted === "whole" ? false : isLazyThroughout || undefined,
  encoding: isProtobuf === true ? "protobuf" : "json",
  fields: keepsFields === true ? ["metadata", "data", "spec", "status", "immutable"] : undefined,
};

/** Converts an object that was not sent over HTTP to the form of sources. */
export function inSourceForm<T extends object>(object: T): T {
  const { fields, lazy } = sourceForm;
  if (!isLazyThroughout && fields === undefined) return object;
  const line = `${JSON.stringify({ type: "ADDED", object })}\n`;
  const events: WatchEvent<T>[] = [];
  createFormDecoder({ lazy, fields }, form)
    .watch<T>()
    .write(new TextEncoder().encode(line), events);
  const [event] = events;
  if (event?.type !== "ADDED") throw new Error("Expected an object, got none");
  return event.object;
}
