import type { FakeApiServer, FakeApiServerOptions } from "@listwatch/fake-apiserver";

/** A command of a tour and its expected output. */
export interface TourStep {
  /** The command line after `kubectl`. Arguments with blanks are quoted. */
  readonly command: string;
  /** The oldest kubectl 1.x that runs this step. @default all */
  readonly since?: number;
  readonly input?: string;
  readonly editor?: string;
  /** Name of the output: later commands and inputs refer to it as `$NAME`. */
  readonly keeps?: string;
  /** Patterns that standard output must match. */
  readonly prints?: readonly RegExp[];
  /** Patterns that standard output must not match. */
  readonly lacks?: readonly RegExp[];
  /** Pattern that standard error must match although the command succeeds. */
  readonly warns?: RegExp;
  /** Pattern of the error; the command must fail. */
  readonly fails?: RegExp;
  /** Whether the command must exit with 1 and print its output, like `diff` with a difference. */
  readonly differs?: true;
}

/** Commands that run one after the other against a separate server. */
export interface Tour {
  readonly name: string;
  /** Files used by the commands, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Options of the server. @default none */
  readonly options?: FakeApiServerOptions;
  prepare?(server: FakeApiServer): void;
  readonly steps: readonly TourStep[];
}
