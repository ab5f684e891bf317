import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../support/free-port.ts";
import { endWithProgram } from "./child-processes.ts";
import type { ControlPlane } from "./control-plane.ts";
import { accountKubeconfig } from "./kubeconfig.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

const folder = resolve(import.meta.dirname, "../../examples/deploy");
const recorded = join(folder, "on-cluster.out");
const limitMs = 60_000;

/**
 * Deploys the operator of the tutorial as its last page describes it, and compares the session with
 * the one that the page shows. There is no kubelet: the program runs here, with the token of the
 * service account, and has only the rights of its roles.
 */
export async function runDeployChecks(
  plane: ControlPlane,
  admin: string,
  isUpdate: boolean,
): Promise<Counts> {
  if (spawnSync("kubectl", ["version", "--client"]).status !== 0) {
    console.log("deploy: kubectl is not on this machine");
    return { passed: 0, failed: 0 };
  }
  try {
    const session = await deploy(plane, admin);
    if (isUpdate) writeFileSync(recorded, session);
    assert.equal(session, readFileSync(recorded, "utf8"));
    console.log("ok   deploy: the session is the one on the page");
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`FAIL deploy: ${describe(error)}`);
    return { passed: 0, failed: 1 };
  }
}

async function deploy(plane: ControlPlane, admin: string): Promise<string> {
  const lines: string[] = [];
  const kubectl = (command: string): string =>
    execFileSync("kubectl", ["--kubeconfig", admin, ...command.split(" ")], {
      cwd: folder,
      encoding: "utf8",
      timeout: limitMs,
    });
  const show = (command: string): void =>
    void lines.push(`$ kubectl ${command}`, kubectl(command).trimEnd());

  show("apply --filename manifests/definition.yaml");
  show("wait --for=condition=Established crd/greetings.example.com");
  show("apply --filename manifests/operator.yaml");
  show("apply --filename manifests/rbac.yaml");
  const token = kubectl("create token greeter --namespace greeter").trim();
  const port = await freePort();
  const kubeconfig = join(plane.folder, "greeter.kubeconfig");
  const account = { name: "greeter", namespace: "greeter", token };
  writeFileSync(kubeconfig, accountKubeconfig(plane, account), { mode: 0o600 });
  const program = startProgram(kubeconfig, port);
  try {
    show("apply --filename hello.yaml");
    show("wait --for=condition=Ready greetings/hello --timeout=60s");
    show("get configmap hello --output=jsonpath={.data}");
    show("get lease greeter --namespace greeter --output=name");
    lines.push("$ curl localhost:8081/readyz");
    lines.push((await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).trimEnd());
    lines.push("$ kill -TERM 1 # in the pod");
    lines.push(...(await program.stop()));
    assert.doesNotMatch(program.log.join("\n"), /forbidden/i);
  } catch (error) {
    throw new Error(`${describe(error)}\n${program.log.join("\n")}`, { cause: error });
  } finally {
    program.kill();
  }
  return `${lines.join("\n")}\n`;
}

function startProgram(kubeconfig: string, port: number) {
  const child = spawn(process.execPath, [...process.execArgv, "main.ts"], {
    cwd: folder,
    env: { ...process.env, KUBECONFIG: kubeconfig, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithProgram(child);
  const log: string[] = [];
  const messages: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      log.push(line);
      const [, message] = /"message":"([^"]+)"/.exec(line) ?? [];
      if (message !== undefined) messages.push(message);
    });
  }
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return {
    log,
    kill: () => void child.kill("SIGKILL"),
    stop: async (): Promise<readonly string[]> => {
      const before = messages.length;
      child.kill("SIGTERM");
      const code = await ended;
      return [...messages.slice(before), `exit code ${code}`];
    },
  };
}
