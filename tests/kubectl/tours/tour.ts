import type { FakeApiServer } from "@listwatch/fake-apiserver";

/** One command of a tour and what it must print. */
export interface TourStep {
  /** The command line after `kubectl`; texts with blanks are quoted. */
  readonly command: string;
  /** The oldest kubectl 1.x that runs this step. @default all */
  readonly since?: number;
  /** Standard input. */
  readonly input?: string;
  /** The editor that `edit` starts. */
  readonly editor?: string;
  /**
   * Name under which the output is kept: `$NAME` in the commands and inputs of later steps stands
   * for it.
   */
  readonly keeps?: string;
  /** Patterns that standard output must match, all of them. */
  readonly prints?: readonly RegExp[];
  /** Patterns that standard output must not match. */
  readonly lacks?: readonly RegExp[];
  /** Pattern that the error output must match although the command succeeds. */
  readonly warns?: RegExp;
  /** The command must fail, and say this. */
  readonly fails?: RegExp;
  /** The command must end with 1 and print its output, as `diff` does when there is a difference. */
  readonly differs?: true;
}

/** Commands that run one after the other against a server of their own. */
export interface Tour {
  readonly name: string;
  /** Files that the commands name, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Called with the server before the first command. */
  prepare?(server: FakeApiServer): void;
  readonly steps: readonly TourStep[];
}
