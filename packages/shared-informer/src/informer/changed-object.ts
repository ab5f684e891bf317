import type { InformerEvent } from "../cache/informer-event.ts";

/** Words of the engines: V8, SpiderMonkey and JavaScriptCore, of which the last names no property. */
const refusals =
  /read-? ?only|not extensible|delete property|redefine|non-configurable|not writable/;
const nameInQuotes = /['"](.*?)['"](?: of | is |: |$)/s;
const bareName = /property:? (.*?)(?:, object is not extensible)?$/s;

/** Most paths that a message lists. */
const maxPaths = 3;

/**
 * Returns a message that explains the TypeError of a handler that has changed a frozen object;
 * `undefined` for any other error. The module imports nothing, so that it shares no chunk. The path
 * is known for a member that exists, and for an element added to an array; for another new member
 * its name is known; in JavaScriptCore neither.
 */
export function explainChange<T>(error: TypeError, event: InformerEvent<T>): string | undefined {
  if (!refusals.test(error.message)) return undefined;
  const objects = objectsOf(event).filter((object) => Object.isFrozen(object));
  if (objects.length === 0) return undefined;
  const what = describeMember(error.message, objects);
  return (
    `Cannot change ${what} of ${event.key}: expected a handler that only reads cached objects, ` +
    `which all handlers share, got ${error.message}`
  );
}

function objectsOf<T>(event: InformerEvent<T>): readonly object[] {
  const states: readonly unknown[] = [event.object, "old" in event ? event.old : undefined];
  return states.filter((state) => typeof state === "object" && state !== null);
}

function describeMember(message: string, objects: readonly object[]): string {
  const name = (nameInQuotes.exec(message) ?? bareName.exec(message))?.[1];
  if (name === undefined || /not extensible\.$|readonly property\.$/.test(message))
    return "a member";
  const isNew = message.includes("not extensible");
  const paths = new Set<string>();
  for (const object of objects) collectPaths(object, name, isNew, paths);
  if (paths.size === 0) return `the member ${JSON.stringify(name)}`;
  const [...listed] = paths;
  const rest = listed.length > maxPaths ? ["…"] : [];
  return [...listed.slice(0, maxPaths), ...rest].join(" or ");
}

/** Adds the paths of members with a name; of a new one, those of arrays that would get it next. */
function collectPaths(root: object, name: string, isNew: boolean, paths: Set<string>): void {
  const containers: [path: string, value: object][] = [["", root]];
  for (const [path, value] of containers) {
    const isHit = isNew
      ? Array.isArray(value) && String(value.length) === name
      : Object.hasOwn(value, name);
    if (isHit) paths.add(join(path, name, Array.isArray(value)));
    for (const [member, child] of Object.entries(value)) {
      // The server alone writes the managers of fields.
      if (typeof child !== "object" || child === null || member === "managedFields") continue;
      containers.push([join(path, member, Array.isArray(value)), child]);
    }
  }
}

function join(path: string, name: string, isIndex: boolean): string {
  if (isIndex && name !== "length") return `${path}[${name}]`;
  if (!/^[\w$]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
