import {
  aNumber,
  anIterable,
  aString,
  isRecord,
  oneOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { anAccount } from "../rights/account.ts";

/** Options of `testCluster`. */
export interface TestClusterOptions {
  /**
   * Service account of the program, as `NAMESPACE/NAME`. The roles among `objects` then decide
   * which of its requests are served; those of `TestCluster.client` are the administrator's. A
   * request that they do not allow fails the test with a `MissingRightError`, also if the program
   * continues. `listwatch rbac` writes these roles.
   *
   * @default none: every request is the administrator's
   */
  readonly account?: string | undefined;
  /**
   * Name of the test, in the comments of these roles.
   *
   * @default the name that the test runner hands to a test of `withTestCluster`
   */
  readonly name?: string | undefined;
  /** Objects that exist from the start. @default none */
  readonly objects?: Iterable<object> | undefined;
  /** CustomResourceDefinitions that exist from the start. @default none */
  readonly definitions?: Iterable<object> | undefined;
  /** Seed of uids, generated names and random numbers. @default 1 */
  readonly seed?: number | undefined;
  /** Time at the start, in milliseconds since 1970. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number | undefined;
  /**
   * A recording of `listwatch record` to play: the path of a file, on Node, Deno and Bun, or its
   * lines. Its first lists are there at once; the changes follow as time passes. Writes of the
   * program are refused; for other ways use `Replay` of the fake API server.
   *
   * @default none
   */
  readonly replay?: string | Iterable<string> | undefined;
  /**
   * Further options of the fake API server, such as `authorization` and `admission`. Its clock,
   * seed and objects are those of the cluster. Objects in namespaces that do not exist are accepted
   * unless `namespaces` is `"strict"`.
   *
   * `"real"` starts kube-apiserver and etcd instead, from the folder that `KUBEBUILDER_ASSETS`
   * names, on real time. There, `account`, `name`, `replay` and `startMs` have no meaning, and are
   * refused.
   *
   * @default none
   */
  readonly server?:
    | "real"
    | Omit<FakeApiServerOptions, "clock" | "crds" | "objects" | "seed">
    | undefined;
}

/** Options of `testCluster` for a real API server. */
export interface RealClusterOptions extends Pick<
  TestClusterOptions,
  "definitions" | "objects" | "seed"
> {
  /** Starts kube-apiserver and etcd from the folder that `KUBEBUILDER_ASSETS` names. */
  readonly server: "real";
}

/** Options of `testCluster` for the fake API server. */
export interface FakeClusterOptions extends TestClusterOptions {
  /** Further options of the fake API server. @default none */
  readonly server?: Exclude<TestClusterOptions["server"], "real">;
}

/** Options of a cluster without a recording. */
export type ClusterOptions = Omit<FakeClusterOptions, "replay">;

/** Options of `TestCluster.until`. */
export interface UntilMetOptions {
  /** Longest simulated time to wait, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/** Checks of the options for the fake API server. */
export const optionTable: OptionsOf<TestClusterOptions> = {
  replay: (value) => (typeof value === "string" ? undefined : anIterable(value)),
  account: anAccount,
  name: aString,
  objects: anIterable,
  definitions: anIterable,
  seed: aNumber(),
  startMs: aNumber(0),
  server: (value) =>
    isRecord(value) || value === "real"
      ? undefined
      : 'an object with options of FakeApiServer, or "real"',
};

/** Checks of the options for a real API server. */
export const realTable: OptionsOf<RealClusterOptions> = {
  objects: anIterable,
  definitions: anIterable,
  seed: aNumber(),
  server: oneOf("real"),
};

/** Checks of the options of `until`. */
export const untilTable: OptionsOf<UntilMetOptions> = { timeoutMs: aNumber(0) };

/** Whether the options ask for a real API server. */
export function isReal(
  options: FakeClusterOptions | RealClusterOptions,
): options is RealClusterOptions {
  return options.server === "real";
}
