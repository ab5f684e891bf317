// An exec plugin for tests. Its arguments select its behaviour; each run adds a line to a file.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

const [runs, mode = "token"] = process.argv.slice(2);
appendFileSync(runs, "run\n");
const count = readFileSync(runs, "utf8").split("\n").length - 1;
const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO ?? "{}");
const print = (status) =>
  console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, status }));

switch (mode) {
  case "fail":
    console.error("no login found: run login first");
    process.exit(3);
    break;
  case "hang":
    setInterval(() => undefined, 1000);
    break;
  case "orphan":
    // A separate process that outlives the plugin and keeps the outputs open.
    spawn(process.execPath, ["-e", "setTimeout(() => undefined, 4000)"], { stdio: "inherit" });
    process.exit(0);
    break;
  case "flood": {
    const more = () => process.stdout.write("x".repeat(65_536), more);
    more();
    break;
  }
  case "raw":
    console.log(process.env.PRINTED);
    break;
  case "info":
    print({ token: JSON.stringify({ spec, extra: process.env.EXTRA }) });
    break;
  case "short":
    print({ token: `t${count}`, expirationTimestamp: process.env.EXPIRES });
    break;
  case "pair": {
    const name = count === 1 ? "client" : "renewed";
    const pem = (kind) => readFileSync(new URL(`pki/${name}.${kind}`, import.meta.url), "utf8");
    print({
      clientCertificateData: pem("crt"),
      clientKeyData: pem("key"),
      expirationTimestamp: process.env.EXPIRES,
    });
    break;
  }
  default:
    print({ token: `t${count}` });
}
