import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";

type Command = readonly string[];

/** A program of `bench/peers/operators`: how it is compiled, run, and what it does. */
export interface Tool {
  readonly name: string;
  /** Commands that succeed if its compilers are installed. */
  readonly needs: readonly Command[];
  /** Working directory of the commands. */
  readonly folder: string;
  /** Compiles the program, outside of the tree. */
  readonly build: readonly Command[];
  readonly run: Command;
  readonly environment?: Readonly<Record<string, string>>;
  readonly live: string;
  readonly ready: string;
  readonly metrics: string;
  /** A metric that the operator exposes. */
  readonly metric: string;
  /** Whether it repairs a config map that something else has changed. */
  readonly repairs: boolean;
  /** The end of its lease on SIGTERM; "none" without a lease. */
  readonly lease: "releases" | "leaves" | "none";
  /** Exit code after SIGTERM. */
  readonly exitCode: number;
}

const sources = join(import.meta.dirname, "../../../bench/peers/operators");

/** A copy of Pepr's program outside of the tree, since npm installs next to it. */
function copyOfPepr(): string {
  const folder = buildFolder("pepr");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(sources, "pepr/package.json"), join(folder, "package.json"));
  copyFileSync(join(sources, "pepr/pepr.ts.txt"), join(folder, "pepr.ts"));
  return folder;
}

function buildFolder(name: string): string {
  return cacheFolder(join("operators", name));
}

const pages = {
  live: "http://127.0.0.1:8081/livez",
  ready: "http://127.0.0.1:8081/readyz",
  metrics: "http://127.0.0.1:8081/metrics",
};
const typescript = ["--module", "es2022", "--moduleResolution", "bundler", "--target", "es2022"];
const bundle = ["--bundle", "--platform=node", "--packages=external", "--outfile=notes.cjs"];

/** The tools in the order of the table. */
export const tools: readonly Tool[] = [
  {
    name: "listwatch",
    needs: [],
    folder: sources,
    build: [],
    run: [process.execPath, "--conditions=@listwatch/source", "listwatch.ts"],
    ...pages,
    metric: "controller_runtime_reconcile_total",
    repairs: true,
    lease: "releases",
    exitCode: 0,
  },
  {
    name: "controller-runtime",
    needs: [["go", "version"]],
    folder: join(sources, "go"),
    build: [["go", "build", "-o", join(buildFolder("go"), "notes"), "."]],
    run: [join(buildFolder("go"), "notes")],
    live: "http://127.0.0.1:8081/healthz",
    ready: "http://127.0.0.1:8081/readyz",
    metrics: "http://127.0.0.1:8080/metrics",
    metric: "controller_runtime_reconcile_total",
    repairs: true,
    lease: "releases",
    exitCode: 0,
  },
  {
    name: "kube-rs",
    needs: [["cargo", "--version"]],
    folder: join(sources, "rust"),
    build: [["cargo", "build", "--quiet", "--locked", "--target-dir", buildFolder("rust")]],
    run: [join(buildFolder("rust"), "debug/notes")],
    ...pages,
    metric: "reconciles_total",
    repairs: true,
    lease: "none",
    exitCode: 0,
  },
  {
    name: "Pepr",
    needs: [
      ["npm", "--version"],
      ["openssl", "version"],
    ],
    folder: copyOfPepr(),
    build: [
      ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"],
      ["node_modules/.bin/tsc", "--noEmit", "--resolveJsonModule", ...typescript, "pepr.ts"],
      ["node_modules/.bin/esbuild", "--log-level=warning", "pepr.ts", ...bundle],
      [
        ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"],
        ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "tls.key", "-out", "tls.crt"],
      ],
    ],
    run: [process.execPath, "notes.cjs"],
    // Its chart deploys one controller of watches like this, and others for webhooks.
    environment: { PEPR_WATCH_MODE: "true", SSL_KEY_PATH: "tls.key", SSL_CERT_PATH: "tls.crt" },
    live: "https://127.0.0.1:3000/healthz",
    ready: "https://127.0.0.1:3000/healthz",
    metrics: "https://127.0.0.1:3000/metrics",
    metric: "pepr_",
    repairs: false,
    lease: "none",
    exitCode: 143,
  },
  {
    name: "kopf",
    needs: [["python3", "-m", "venv", "--help"]],
    folder: join(sources, "python"),
    build: [
      ["python3", "-m", "venv", buildFolder("python")],
      [
        join(buildFolder("python"), "bin/pip"),
        ...["install", "--quiet", "--require-hashes", "-r", "requirements.txt"],
      ],
    ],
    run: [
      ...[join(buildFolder("python"), "bin/python"), "-B", "-m", "kopf", "run"],
      ...["--all-namespaces", "--liveness=http://127.0.0.1:8081/livez", "notes.py"],
    ],
    live: "http://127.0.0.1:8081/livez",
    ready: "http://127.0.0.1:8081/livez",
    metrics: "http://127.0.0.1:8080/metrics",
    metric: "reconciles_total",
    repairs: false,
    lease: "none",
    exitCode: 0,
  },
  {
    name: "Java Operator SDK",
    needs: [
      ["mvn", "--version"],
      ["javac", "--version"],
    ],
    folder: join(sources, "java"),
    build: [
      ["mvn", "--quiet", "--batch-mode", `-Dbuild=${buildFolder("java")}`, "process-classes"],
    ],
    run: [
      "java",
      "-cp",
      `${buildFolder("java")}/classes:${buildFolder("java")}/libraries/*`,
      "JavaOperatorSdk",
    ],
    ...pages,
    metric: "reconciliations",
    repairs: true,
    lease: "leaves",
    exitCode: 143,
  },
];
