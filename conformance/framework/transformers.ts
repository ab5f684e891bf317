import { isRecord } from "./values.ts";

/** Returns the transformer that a case names. It changes objects, and no other values. */
export function transformer(name: unknown): ((object: unknown) => unknown) | undefined {
  if (name === undefined) return undefined;
  const act = typeof name === "string" ? actions[name] : undefined;
  if (act === undefined)
    throw new TypeError(`Couldn't find the transformer ${JSON.stringify(name)}`);
  return (object) => {
    if (!isRecord(object) || !isRecord(object["metadata"])) return object;
    const { metadata } = object;
    if (member(metadata, "labels", "fail") === "true") throw new Error("told to fail");
    return act(object, metadata);
  };
}

type Members = Readonly<Record<string, unknown>>;

const actions: Readonly<Record<string, (object: Members, metadata: Members) => unknown>> = {
  count(object, metadata) {
    const transforms = String(Number(member(metadata, "annotations", "transforms") ?? 0) + 1);
    const annotations = isRecord(metadata["annotations"]) ? metadata["annotations"] : {};
    return {
      ...object,
      metadata: { ...metadata, annotations: { ...annotations, transforms } },
    };
  },
  strip: (object, metadata) =>
    member(metadata, "labels", "strip") === "true" ? `stripped:${nameOf(metadata)}` : object,
  rename: (object, metadata) => ({
    ...object,
    metadata: { ...metadata, name: `${nameOf(metadata)}-t` },
  }),
};

function member(metadata: Members, group: string, name: string): unknown {
  const members = metadata[group];
  return isRecord(members) ? members[name] : undefined;
}

function nameOf(metadata: Members): string {
  return typeof metadata["name"] === "string" ? metadata["name"] : "";
}
