import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheFolder } from "../support/cache-folder.ts";

type Command = readonly string[];

/** A program that connects to the server and prints its checks. */
export interface Program {
  readonly name: string;
  readonly run: Command;
  /** Prepares this program only. */
  readonly install?: Command;
  /** Whether it takes too long for each run of all checks. */
  readonly field?: boolean;
}

/**
 * A language and its programs, as described by `client.json`. `{build}` in its commands stands for
 * a folder outside of the tree that is kept between runs.
 *
 * A program reads the server's address from `SERVER`, and a kubeconfig from `KUBECONFIG`. It prints
 * one line for each check, `ok NAME` or `FAIL NAME: WHY`. It exits with 0 after all checks, whether
 * or not they passed.
 */
export interface Language {
  /** The folder of its programs, which is the working directory of the commands. */
  readonly folder: string;
  readonly name: string;
  /** Commands that succeed if the language is installed. */
  readonly needs: readonly Command[];
  /** Prepares all programs. */
  readonly install: readonly Command[];
  readonly programs: readonly Program[];
}

export function readLanguage(folder: string): Language {
  const build = join(cacheFolder("clients"), basename(folder));
  const text = readFileSync(join(folder, "client.json"), "utf8");
  // The path may contain characters that JSON escapes.
  const escaped = JSON.stringify(build).slice(1, -1);
  const described = JSON.parse(text.replaceAll("{build}", () => escaped)) as Omit<
    Language,
    "folder"
  >;
  return { ...described, folder };
}
