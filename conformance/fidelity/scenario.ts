import type { FakeApiServerOptions } from "@listwatch/fake-apiserver";
import type { StepResult, Transport } from "./replay.mjs";

/** A server to replay against. */
export interface Target {
  readonly transport: Transport;
  /** Makes the server forget its history. */
  readonly compact: () => void;
}

/** One unit of a recording: its steps run one after the other, on a server of its own. */
export interface Scenario {
  /** Unique in its file. */
  readonly name: string;
  readonly category: string;
  readonly title: string;
  /** How many steps are recorded. */
  readonly steps: number;
  /** What the recorded server was like. */
  readonly server: FakeApiServerOptions;
  /** Runs all steps. Rejects when the scenario cannot begin. */
  replay(target: Target): Promise<readonly StepResult[]>;
}

/** The token of all requests: that of the user who made the recordings. */
export const recorderToken = "recorder";

/** A kube-apiserver without controllers: nothing is deleted unless a step says so. */
export const wholeServer: FakeApiServerOptions = {
  users: { [recorderToken]: { username: "admin", uid: "admin", groups: ["system:masters"] } },
  namespaces: "strict",
  namespaceDeletion: "never",
  podDeletion: "never",
  garbageCollection: "never",
  validation: "full",
  authorization: "rbac",
  bootstrap: "full",
};

/** A server of custom resources alone, which knows no namespaces. */
export const customResourceServer: FakeApiServerOptions = {
  namespaces: "permissive",
  garbageCollection: "never",
};
