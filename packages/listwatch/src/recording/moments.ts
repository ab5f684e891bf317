import type { JsonObject } from "@listwatch/core-fifo/base";
import { isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { ObjectLine, RecordedResource, Recording } from "@listwatch/fake-apiserver";

/** One state of an object in a recording. */
export interface RecordedState {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  readonly type: ObjectLine["type"];
  /** Plural name of the resource, with its group. */
  readonly resource: string;
  /** Namespace and name: `default/web`. */
  readonly key: string;
  readonly object: JsonObject;
  /** The state before; `undefined` if there was none. */
  readonly before: JsonObject | undefined;
}

/**
 * Reads a recording as changes of its objects. What a repeated list no longer contains is reported
 * as deleted, and what it contains unchanged is left out.
 */
export async function* readChanges(recording: Recording): AsyncGenerator<RecordedState> {
  const { resources } = recording.header;
  const objects = resources.map(() => new Map<string, JsonObject>());
  const lists = new Map<number, { left: number; readonly keys: Set<string> }>();
  for await (const line of recording.lines) {
    if (line.type === "END") continue;
    const { at, resource: index } = line;
    const held = objects[index] ?? new Map<string, JsonObject>();
    const resource = nameOf(resources[index]);
    if (line.type === "LIST") {
      lists.set(index, { left: line.items, keys: new Set() });
    } else {
      const key = keyOf(line.object);
      const before = held.get(key);
      if (line.type === "DELETED") held.delete(key);
      else held.set(key, line.object);
      const isSame = line.type === "LISTED" && versionOf(before) === versionOf(line.object);
      if (before === undefined || !isSame) {
        yield { at, type: line.type, resource, key, object: line.object, before };
      }
      const list = line.type === "LISTED" ? lists.get(index) : undefined;
      list?.keys.add(key);
      if (list !== undefined) list.left--;
    }
    const list = lists.get(index);
    if (list === undefined || list.left > 0) continue;
    lists.delete(index);
    for (const [key, object] of held) {
      if (list.keys.has(key)) continue;
      held.delete(key);
      yield { at, type: "DELETED", resource, key, object, before: object };
    }
  }
}

function nameOf(resource: RecordedResource | undefined): string {
  if (resource === undefined) return "";
  return resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
}

function keyOf(object: JsonObject): string {
  const { name, namespace } = recordOf(object["metadata"]);
  return namespace === undefined ? stringOf(name) : `${stringOf(namespace)}/${stringOf(name)}`;
}

function versionOf(object: JsonObject | undefined): unknown {
  const metadata = object?.["metadata"];
  return isRecord(metadata) ? (metadata["resourceVersion"] ?? object) : undefined;
}
