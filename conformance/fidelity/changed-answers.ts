import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** Answers of recordings of 1.36 that 1.37 gives otherwise, with the reason they share. */
interface ChangedAnswers {
  readonly why: string;
  readonly changes: readonly {
    readonly file: string;
    /** The way to the value in the file. */
    readonly path: readonly (string | number)[];
    readonly "of 1.36": unknown;
    readonly "of 1.37": unknown;
  }[];
}

const list = new URL("changed-in-1.37.json", import.meta.url);

/**
 * Puts the answers of 1.37 in the places of those of 1.36, where a recording of 1.36 has them.
 *
 * @throws if the recording has another value there
 */
export function withChangedAnswers(file: string | URL, content: unknown): unknown {
  const name = basename(file instanceof URL ? file.pathname : file);
  const groups = JSON.parse(readFileSync(list, "utf8")) as readonly ChangedAnswers[];
  for (const change of groups.flatMap(({ changes }) => changes)) {
    if (change.file !== name) continue;
    const parents = change.path.slice(0, -1);
    const owner = parents.reduce<unknown>((value, key) => memberOf(value, key), content);
    const last = change.path.at(-1) ?? "";
    if (!isDeepStrictEqual(memberOf(owner, last), change["of 1.36"])) {
      throw new Error(`${name} has another value at ${change.path.join(".")}`);
    }
    (owner as Record<string | number, unknown>)[last] = change["of 1.37"];
  }
  return content;
}

function memberOf(value: unknown, key: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>> | undefined)?.[key];
}
