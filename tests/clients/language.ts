import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";

/** A command and its arguments. */
type Command = readonly string[];

/** A program that talks to the server and prints its checks. */
export interface Program {
  readonly name: string;
  readonly run: Command;
  /** Makes what only this program needs. */
  readonly install?: Command;
  /** Takes too long for each run of all checks. */
  readonly field?: boolean;
}

/**
 * A language and its programs, as `client.json` describes them. In its commands `{build}` stands
 * for a folder outside of the tree that is kept from run to run.
 *
 * A program reads the address of the server from `SERVER`, and finds a kubeconfig for it in
 * `KUBECONFIG`. It prints one line for each check, `ok NAME` or `FAIL NAME: WHY`, and ends with 0
 * when it has made all of them, whatever came out.
 */
export interface Language {
  /** The folder of its programs, in which the commands run. */
  readonly folder: string;
  readonly name: string;
  /** Commands that succeed where the language is installed. */
  readonly needs: readonly Command[];
  /** Makes what all programs need. */
  readonly install: readonly Command[];
  readonly programs: readonly Program[];
}

/** Reads the description of a language in its folder. */
export function readLanguage(folder: string): Language {
  const build = join(cacheFolder("clients"), basename(folder));
  const text = readFileSync(join(folder, "client.json"), "utf8");
  // The path may contain what JSON escapes.
  const escaped = JSON.stringify(build).slice(1, -1);
  const described = JSON.parse(text.replaceAll("{build}", () => escaped)) as Omit<
    Language,
    "folder"
  >;
  return { ...described, folder };
}
