import type { FakeApiServerOptions } from "@listwatch/fake-apiserver";
import type { StepResult, Transport } from "./replay.mjs";

export interface Target {
  readonly transport: Transport;
  readonly compact: () => void;
}

/** One unit of a recording. Its steps run one after the other, on a separate server. */
export interface Scenario {
  readonly name: string;
  readonly category: string;
  readonly title: string;
  readonly steps: number;
  /** Options that match the recorded server. */
  readonly server: FakeApiServerOptions;
  /** Runs all steps. Rejects when the scenario cannot start. */
  replay(target: Target): Promise<readonly StepResult[]>;
}

/** Token of all requests, for the user who made the recordings. */
export const recorderToken = "recorder";

/** A kube-apiserver without controllers: only steps delete objects. */
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

/** A server of custom resources only, without namespaces. */
export const customResourceServer: FakeApiServerOptions = {
  namespaces: "permissive",
  garbageCollection: "never",
};
