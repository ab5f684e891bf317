import { isRecord } from "@listwatch/core-fifo/base";

/** A member of a model class of `@kubernetes/client-node`, as its generator describes it. */
export interface Attribute {
  /** The name in the class, such as `_continue`. */
  readonly name: string;
  /** The name in the API, such as `continue`. */
  readonly baseName: string;
  /** For example `string`, `Date`, `V1ObjectMeta`, `Array<V1Container>`. */
  readonly type: string;
}

const known = new WeakMap<object, readonly Attribute[]>();

/** Returns the members of a model class; undefined for any other value. */
export function attributesOf(model: unknown): readonly Attribute[] | undefined {
  if (typeof model !== "function" || model === Object) return undefined;
  const remembered = known.get(model);
  if (remembered !== undefined) return remembered;
  const describe: unknown = Reflect.get(model, "getAttributeTypeMap");
  if (typeof describe !== "function") return undefined;
  const described: unknown = Reflect.apply(describe, model, []);
  const attributes = Array.isArray(described) ? described.filter(isAttribute) : [];
  known.set(model, attributes);
  return attributes;
}

function isAttribute(value: unknown): value is Attribute {
  return (
    isRecord(value) && ["name", "baseName", "type"].every((name) => typeof value[name] === "string")
  );
}
