import { kubeconfig, oneFile, pem, pemData, secureCluster, type Members } from "../oracle-case.ts";
import type { Addresses, OracleCase } from "../oracle-case.ts";

const v1 = "client.authentication.k8s.io/v1";
const v1beta1 = "client.authentication.k8s.io/v1beta1";

/** Records what a plugin receives: information, arguments, name, variables and terminals. */
const recording = [
  'printf "%s" "$KUBERNETES_EXEC_INFO" > "$RECORD/info"',
  'printf "%s\\n" "$@" > "$RECORD/args"',
  '/usr/bin/tr "\\0" "\\n" < /proc/$$/cmdline > "$RECORD/command"',
  '/usr/bin/tr "\\0" "\\n" < /proc/$$/environ | /usr/bin/sort > "$RECORD/environment"',
  '[ -t 0 ] && echo terminal > "$RECORD/terminal"',
  '/bin/readlink /proc/$$/cwd > "$RECORD/folder"',
].join("\n");

function script(output: string): string {
  return `#!/bin/sh\n${recording}\n/bin/cat <<'END'\n${output}\nEND\n`;
}

function credential(status: unknown, apiVersion = v1, rest: Members = {}): string {
  return JSON.stringify({ kind: "ExecCredential", apiVersion, ...rest, status });
}

const token = script(credential({ token: "of-plugin" }));

/** Exec plugins. */
export function pluginCases(addresses: Addresses): readonly OracleCase[] {
  const cluster = secureCluster(addresses);
  const base = { apiVersion: v1, command: "./login", interactiveMode: "IfAvailable" };
  const of = (name: string, exec: unknown, text = token, rest: Partial<OracleCase> = {}) =>
    oneFile(
      `plugin ${name}`,
      { cluster, user: { exec } },
      { files: { login: text }, programs: ["login"], ...rest },
    );
  return [
    of("of v1", base),
    of("that is never interactive", { ...base, interactiveMode: "Never" }),
    of("that is always interactive", { ...base, interactiveMode: "Always" }),
    of("of v1 without a mode", { ...base, interactiveMode: undefined }),
    of("with an unknown mode", { ...base, interactiveMode: "Sometimes" }),
    of(
      "of v1beta1",
      { apiVersion: v1beta1, command: "./login" },
      script(credential({ token: "of-plugin" }, v1beta1)),
    ),
    of("of v1alpha1", { ...base, apiVersion: "client.authentication.k8s.io/v1alpha1" }),
    of("of no version", { ...base, apiVersion: undefined }),
    of("without a command", { ...base, command: undefined }),
    of("with arguments", { ...base, args: ["get-token", "", "a b", "--x=$HOME", "é"] }),
    of("with null lists", { ...base, args: null, env: null }),
    of("with variables", {
      ...base,
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
        { name: "HOME", value: "/elsewhere" },
        { name: "EMPTY", value: "" },
        { name: "KUBERNETES_EXEC_INFO", value: "mine" },
      ],
    }),
    of("with a variable without name", { ...base, env: [{ value: "1" }] }),
    of("with an install hint", { ...base, command: "./missing", installHint: "Get it" }),
    of("with a null", null),
    oneFile(
      "plugin and a provider",
      { cluster, user: { exec: base, "auth-provider": { name: "oidc", config: {} } } },
      { files: { login: token }, programs: ["login"] },
    ),
    oneFile(
      "plugin and a token",
      { cluster, user: { exec: base, token: "fixed" } },
      { files: { login: token }, programs: ["login"] },
    ),
    oneFile(
      "plugin and a password",
      { cluster, user: { exec: base, username: "me", password: "p" } },
      { files: { login: token }, programs: ["login"] },
    ),
    oneFile(
      "plugin and a certificate",
      {
        cluster,
        user: {
          exec: base,
          "client-certificate-data": pemData("client.crt"),
          "client-key-data": pemData("client.key"),
        },
      },
      { files: { login: token }, programs: ["login"] },
    ),
    ...outputs(of, base),
    ...places(cluster, base),
    ...clusterInformation(addresses, base),
  ];
}

type CreateCase = (name: string, exec: unknown, text?: string) => OracleCase;

function outputs(of: CreateCase, base: Members): readonly OracleCase[] {
  const printing = (name: string, output: string) =>
    of(`that prints ${name}`, base, script(output));
  const yaml = `kind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: of-yaml`;
  return [
    printing(
      "a certificate",
      credential({
        clientCertificateData: pem("client.crt"),
        clientKeyData: pem("client.key"),
      }),
    ),
    printing(
      "a certificate and a token",
      credential({
        clientCertificateData: pem("client.crt"),
        clientKeyData: pem("client.key"),
        token: "both",
      }),
    ),
    printing("a certificate without key", credential({ clientCertificateData: pem("client.crt") })),
    printing("an empty certificate", credential({ clientCertificateData: "", token: "abc" })),
    printing(
      "a certificate that is no PEM",
      credential({
        clientCertificateData: "x",
        clientKeyData: "y",
      }),
    ),
    printing("another version", credential({ token: "abc" }, v1beta1)),
    printing("no version", credential({ token: "abc" }, "")),
    printing("another kind", JSON.stringify({ kind: "Secret", apiVersion: v1, status: {} })),
    printing("no status", JSON.stringify({ kind: "ExecCredential", apiVersion: v1 })),
    printing("an empty status", credential({})),
    printing(
      "a token that is over",
      credential({
        token: "over",
        expirationTimestamp: "2020-01-01T00:00:00Z",
      }),
    ),
    printing(
      "a time with a zone",
      credential({
        token: "abc",
        expirationTimestamp: "2099-01-01T00:00:00.5+02:00",
      }),
    ),
    printing("a date as its end", credential({ token: "abc", expirationTimestamp: "2099-01-01" })),
    printing("a null end", credential({ token: "abc", expirationTimestamp: null })),
    printing("a token with a line end", credential({ token: "abc\n" })),
    printing("a number as token", credential({ token: 7 })),
    printing("YAML", yaml),
    printing("a text", "Please log in"),
    printing("nothing", ""),
    printing("two documents", `${credential({ token: "abc" })}\n${credential({ token: "b" })}`),
    printing("more fields", credential({ token: "abc", more: 1 }, v1, { spec: {}, x: [] })),
    printing("JSON after a byte order mark", `\ufeff${credential({ token: "abc" })}`),
    of("that fails", base, `#!/bin/sh\n${recording}\necho no >&2\nexit 3\n`),
    of("that prints and fails", base, `${token}exit 1\n`),
    of(
      "that complains and succeeds",
      base,
      token.replace("/bin/cat", "echo careful >&2\n/bin/cat"),
    ),
  ];
}

function places(cluster: Members, base: Members): readonly OracleCase[] {
  const at = (name: string, command: string, rest: Partial<OracleCase>) =>
    oneFile(`plugin ${name}`, { cluster, user: { exec: { ...base, command } } }, rest);
  const env = { PATH: "$DIR/first:$DIR/bin:/usr/bin:/bin" };
  const found = { files: { "bin/login": token }, programs: ["bin/login"] };
  return [
    at("in a folder of PATH", "login", { ...found, env }),
    at("in a second folder of PATH", "login", {
      files: { "bin/login": token, "first/login": "#!/bin/sh\nexit 9\n" },
      programs: ["bin/login"],
      env,
    }),
    at("in a relative folder of PATH", "login", { ...found, env: { PATH: "bin" } }),
    at("in an empty folder of PATH", "login", {
      files: { login: token },
      programs: ["login"],
      env: { PATH: ":/usr/bin" },
    }),
    at("in no folder of PATH", "listwatch-missing", {}),
    at("beside the kubeconfig without a slash", "login", {
      files: { login: token },
      programs: ["login"],
    }),
    at("in a folder beside the kubeconfig", "bin/login", found),
    {
      name: "plugin above the kubeconfig",
      files: {
        "k/config": JSON.stringify(
          kubeconfig({ cluster, user: { exec: { ...base, command: "../login" } } }),
        ),
        login: token,
      },
      programs: ["login"],
      kubeconfig: "$DIR/k/config",
    },
    at("with dots in its path", "bin/../bin//login", found),
    at("that cannot be executed", "./login", { files: { login: token } }),
    at("that is a folder", "./bin", found),
    at("with a backslash in its name", "a\\login", {
      files: { "a\\login": token },
      programs: ["a\\login"],
      env: { PATH: "$DIR" },
    }),
    at("without a first line", "./login", {
      files: { login: token.replace("#!/bin/sh\n", "") },
      programs: ["login"],
    }),
    oneFile(
      "plugin with PATH among its variables",
      {
        cluster,
        user: { exec: { ...base, command: "login", env: [{ name: "PATH", value: "/nowhere" }] } },
      },
      { ...found, env },
    ),
  ];
}

function clusterInformation(addresses: Addresses, exec: Members): readonly OracleCase[] {
  const secure = secureCluster(addresses);
  const user = { exec: { ...exec, provideClusterInfo: true } };
  const extension = (value: unknown) => ({
    extensions: [{ name: "client.authentication.k8s.io/exec", extension: value }],
  });
  const about = (name: string, cluster: Members, files: OracleCase["files"] = {}) =>
    oneFile(
      `plugin that knows ${name}`,
      { cluster, user },
      { files: { login: token, ...files }, programs: ["login"] },
    );
  return [
    about("the cluster", secure),
    about(
      "an authority in a file",
      { server: addresses.https, "certificate-authority": "ca" },
      {
        ca: pem("ca.crt"),
      },
    ),
    about("an insecure cluster", { server: addresses.https, "insecure-skip-tls-verify": true }),
    about("a server name", {
      ...secure,
      server: addresses.named,
      "tls-server-name": "kubernetes.test",
    }),
    about("a proxy", { ...secure, "proxy-url": addresses.proxy }),
    about("that nothing is compressed", { ...secure, "disable-compression": true }),
    {
      ...about("a path of the address", {
        ...secure,
        server: `${addresses.https}/k8s/<c>&/a b?x=1`,
      }),
      command: "version",
    },
    about("a text of the cluster", { ...secure, ...extension("text <&>") }),
    about("members of the cluster", {
      ...secure,
      ...extension({ z: [1, 1.5, 1e21, true, null], a: { "10": "x", "9": "y", é: "\u2028" } }),
    }),
    about("a large number of the cluster", { ...secure, ...extension({ n: 1e30, i: 1_000_000 }) }),
    about("a null of the cluster", { ...secure, ...extension(null) }),
    about("another extension", { ...secure, extensions: [{ name: "other", extension: { a: 1 } }] }),
  ];
}
