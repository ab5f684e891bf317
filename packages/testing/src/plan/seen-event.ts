import { recordOf, stringOf } from "@listwatch/core-fifo/base";

/** An event that a watch has delivered to the program. */
export interface SeenEvent {
  readonly type: string;
  readonly kind: string;
  /** `namespace/name`, or `name`. */
  readonly key: string;
  readonly version: string;
}

const decoder = new TextDecoder();

/** Returns the events of the whole lines of a piece. */
export function eventsOf(piece: Uint8Array): readonly SeenEvent[] {
  return decoder
    .decode(piece)
    .split("\n")
    .flatMap((line) => {
      try {
        return eventOf(recordOf(JSON.parse(line)));
      } catch {
        return [];
      }
    });
}

function eventOf({ object, type }: Readonly<Record<string, unknown>>): readonly SeenEvent[] {
  if (type === "BOOKMARK") return [];
  const { kind, metadata } = recordOf(object);
  const { name, namespace, resourceVersion } = recordOf(metadata);
  const place = namespace === undefined ? "" : `${stringOf(namespace)}/`;
  const key = `${place}${stringOf(name)}`;
  const version = stringOf(resourceVersion);
  return [{ type: stringOf(type), kind: stringOf(kind), key, version }];
}
