import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect as open, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { findBinaries } from "../cluster/binaries.ts";
import { ControlPlane } from "../cluster/control-plane.ts";
import { accountKubeconfig, kindKubeconfig } from "../cluster/kubeconfig.ts";
import { applyManifests, kubectlWith, type Kubectl } from "./manifests.ts";
import { untilPodIsShown } from "./until-pod-is-shown.ts";
import { untilSaid, untilSpacesAreRefused } from "./until-said.ts";

/** A project, and the variables of its program. */
export interface ClusterProgram {
  readonly folder: string;
  /** Name of the project, its namespace and its service account. */
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the reason that there is no kube-apiserver; undefined if there is one. */
export function whyNoCluster(): string | undefined {
  const binaries = findBinaries({ build: false });
  return typeof binaries === "string" ? binaries : undefined;
}

/**
 * Runs the operator on a real kube-apiserver. It reconciles an object, its webhook is called with
 * the certificate that it has made, and it ends by SIGTERM.
 *
 * @throws {Error} if a step fails
 */
export async function runOperatorOnCluster(program: ClusterProgram): Promise<void> {
  const { folder, name } = program;
  await using cluster = await ProjectCluster.start(program);
  const { admin } = cluster;
  admin(["wait", "--for=condition=Established", "crd/backuppolicies.acme.io"]);
  // There is no network of services: the server calls an external name.
  await using _ = await forward(443, 9443);
  admin(["delete", "service", name, "--namespace", name]);
  const target = ["--external-name=localhost", "--namespace", name];
  admin(["create", "service", "externalname", name, ...target]);
  await cluster.run(async (child) => {
    await untilSaid({ kubeconfig: cluster.adminFile, folder });
    admin([
      "wait",
      "--for=condition=Ready",
      "backuppolicies.acme.io/hello",
      "--timeout=60s",
      "--namespace",
      "team",
    ]);
    await untilSpacesAreRefused(cluster.adminFile);
    admin(["get", `lease/${name}`, `secret/${name}-webhooks`, "--namespace", name]);
    child.kill("SIGTERM");
    const code = await endOf(child);
    if (code !== 0) throw new Error(`the program ends with the exit code ${code}`);
    const events = admin(["get", "events", "--namespace", "team"]);
    if (!events.includes("Applied")) throw new Error(`expected an event Applied, got: ${events}`);
  });
}

/**
 * Runs the dashboard on a real kube-apiserver: a user sees the pod that its rights allow.
 *
 * @throws {Error} if a step fails
 */
export async function runDashboardOnCluster(program: ClusterProgram): Promise<void> {
  await using cluster = await ProjectCluster.start(program);
  const { admin } = cluster;
  // Its manifests have the roles of an account that a deployment brings.
  admin(["create", "serviceaccount", program.name, "--namespace", program.name]);
  // No controller fills the role "view".
  admin(["create", "clusterrole", "see-pods", "--verb=list,watch", "--resource=pods"]);
  admin(["create", "clusterrolebinding", "ann", "--clusterrole=see-pods", "--user=ann"]);
  admin(["run", "web", "--image=nginx", "--namespace", "default"]);
  await cluster.run(async (child) => {
    await untilPodIsShown({ folder: program.folder, user: "ann", pod: "default/web" });
    child.kill("SIGTERM");
    await endOf(child);
  });
}

/** A kube-apiserver with the manifests of a project, and a kubeconfig of its service account. */
class ProjectCluster implements AsyncDisposable {
  readonly admin: Kubectl;
  readonly adminFile: string;
  readonly #plane: ControlPlane;
  readonly #program: ClusterProgram;

  private constructor(plane: ControlPlane, program: ClusterProgram) {
    this.#plane = plane;
    this.#program = program;
    this.adminFile = join(plane.folder, "admin.kubeconfig");
    writeFileSync(this.adminFile, kindKubeconfig(plane));
    this.admin = kubectlWith(this.adminFile);
  }

  static async start(program: ClusterProgram): Promise<ProjectCluster> {
    const binaries = findBinaries({ build: false });
    if (typeof binaries === "string") throw new Error(binaries);
    const cluster = new ProjectCluster(await ControlPlane.start(binaries), program);
    applyManifests(cluster.admin, program.folder, program.name);
    return cluster;
  }

  /** Runs the program with the token of its service account. */
  async run(check: (child: ChildProcess) => Promise<void>): Promise<void> {
    const { env, folder } = this.#program;
    const log: string[] = [];
    const child = spawn("node", ["src/main.ts"], {
      cwd: folder,
      env: { ...env, KUBECONFIG: this.#writeAccount() },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => log.push(text));
    }
    try {
      await check(child);
      const forbidden = log.join("").match(/.*forbidden.*/i);
      if (forbidden !== null) throw new Error(`a right is missing: ${forbidden[0]}`);
    } catch (error) {
      throw new Error(`${String(error)}\n${log.join("").slice(-3000)}`, { cause: error });
    } finally {
      child.kill("SIGKILL");
    }
  }

  #writeAccount(): string {
    const { name } = this.#program;
    const token = this.admin(["create", "token", name, "--namespace", name]).trim();
    const file = join(this.#plane.folder, "account.kubeconfig");
    writeFileSync(file, accountKubeconfig(this.#plane, { name, namespace: name, token }));
    return file;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#plane[Symbol.asyncDispose]();
  }
}

/** Passes connections on to another port of this machine, as a service does. */
async function forward(from: number, to: number): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = open(to, "127.0.0.1");
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  server.once("error", reject).listen(from, "127.0.0.1", resolve);
  await promise;
  return {
    [Symbol.asyncDispose]: () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      // The API server keeps its connections, and close() waits for their end.
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

function endOf(child: ChildProcess): Promise<number | null> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve(exitCode);
  return new Promise((resolve) => child.once("exit", resolve));
}
