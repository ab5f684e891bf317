import { kubeconfig, pem, secureCluster, type Members } from "../oracle-case.ts";
import type { Addresses, OracleCase } from "../oracle-case.ts";

/** Several files, contexts, and where files are looked for. */
export function fileCases(addresses: Addresses): readonly OracleCase[] {
  const cluster = secureCluster(addresses);
  const whole = (token: string, top: Members = {}): string =>
    JSON.stringify(kubeconfig({ cluster, user: { token }, top }));
  const part = (members: Members): string => JSON.stringify(members);
  const both = "$DIR/a:$DIR/b";
  const of = (name: string, files: OracleCase["files"], rest: Partial<OracleCase> = {}) => ({
    name: `files ${name}`,
    files,
    ...rest,
  });
  const x = { name: "x", context: { cluster: "c", user: "u" } };
  const clusters = [{ name: "c", cluster }];
  const user = (token: string) => [{ name: "u", user: { token } }];
  const ab = { kubeconfig: both };
  return [
    of("two, the first one wins", { a: whole("one"), b: whole("two") }, ab),
    of(
      "two, each with a part",
      {
        a: part({ contexts: [x], "current-context": "x" }),
        b: part({ clusters, users: user("b") }),
      },
      ab,
    ),
    of(
      "two, the second one with the context",
      {
        a: part({ clusters, users: user("a") }),
        b: whole("two"),
      },
      ab,
    ),
    of(
      "two, with parts of one user",
      {
        a: part({ users: [{ name: "u", user: { token: "abc" } }] }),
        b: JSON.stringify(kubeconfig({ cluster, user: { as: "jane" } })),
      },
      ab,
    ),
    of(
      "two, with parts of one cluster",
      {
        a: part({ clusters: [{ name: "c", cluster: { server: addresses.https } }] }),
        b: whole("two"),
      },
      ab,
    ),
    of(
      "two, with an empty current-context first",
      {
        a: part({ "current-context": "" }),
        b: whole("two"),
      },
      ab,
    ),
    of("two, the first one missing", { b: whole("two") }, ab),
    of("two, the second one missing", { a: whole("one") }, ab),
    of("two, both missing", {}, ab),
    of("two, the first one empty", { a: "", b: whole("two") }, ab),
    of("two, the second one broken", { a: whole("one"), b: "{{{" }, ab),
    of(
      "two, with paths of each",
      {
        "one/a": part({
          clusters: [
            { name: "c", cluster: { server: addresses.https, "certificate-authority": "ca" } },
          ],
        }),
        "one/ca": pem("ca.crt"),
        "two/b": JSON.stringify(kubeconfig({ cluster: {}, user: { tokenFile: "token" } })),
        "two/token": "two",
      },
      { kubeconfig: "$DIR/one/a:$DIR/two/b" },
    ),
    of("with an empty entry", { a: whole("one") }, { kubeconfig: ":$DIR/a:" }),
    of("with the same one twice", { a: whole("one") }, { kubeconfig: "$DIR/a:$DIR/a" }),
    of("with a relative path", { "k/config": whole("one") }, { kubeconfig: "k/config" }),
    of(
      "with a relative path and a token file",
      {
        "k/config": JSON.stringify(kubeconfig({ cluster, user: { tokenFile: "token" } })),
        "k/token": "beside",
        token: "wrong",
      },
      { kubeconfig: "k/config" },
    ),
    of(
      "with a relative path above",
      { config: whole("one"), "d/x": "" },
      { kubeconfig: "../config", cwd: "d" },
    ),
    of("with spaces", { "my files/a b": whole("one") }, { kubeconfig: "$DIR/my files/a b" }),
    of("with a tilde", { "~/config": whole("one") }, { kubeconfig: "~/config" }),
    of("that is a folder", { "k/x": "" }, { kubeconfig: "$DIR/k" }),
    of(
      "behind a link",
      {
        "real/config": JSON.stringify(kubeconfig({ cluster, user: { tokenFile: "token" } })),
        token: "beside the link",
        "real/token": "beside the file",
      },
      { links: { link: "real/config" }, kubeconfig: "$DIR/link" },
    ),
    of("in the home folder", { "home/.kube/config": whole("home") }, { kubeconfig: "" }),
    of(
      "in the home folder, beside KUBECONFIG",
      { "home/.kube/config": whole("home"), a: whole("one") },
      { kubeconfig: "$DIR/a" },
    ),
    of(
      "in the home folder, with KUBECONFIG missing",
      { "home/.kube/config": whole("home") },
      { kubeconfig: "$DIR/a" },
    ),
    of("nowhere", {}, { kubeconfig: "" }),
    of(
      "with a context of the option",
      {
        config: whole("one", {
          contexts: [x, { name: "y", context: { cluster: "c", user: "v" } }],
          users: [...user("one"), { name: "v", user: { token: "two" } }],
        }),
      },
      { context: "y" },
    ),
    of("without the context of the option", { config: whole("one") }, { context: "y" }),
    of("without a current-context", { config: whole("one", { "current-context": undefined }) }),
    of(
      "without a current-context, with one context of the option",
      { config: whole("one", { "current-context": "" }) },
      { context: "x" },
    ),
    of("with a missing current-context", { config: whole("one", { "current-context": "y" }) }),
    of("with a null context", {
      config: whole("one", { contexts: [{ name: "x", context: null }] }),
    }),
    of("with a context without cluster", {
      config: whole("one", { contexts: [{ name: "x", context: { user: "u" } }] }),
    }),
    of("with a context of a missing cluster", {
      config: whole("one", { contexts: [{ name: "x", context: { cluster: "d", user: "u" } }] }),
    }),
    of("with a user twice", {
      config: whole("one", { users: [...user("first"), ...user("second")] }),
    }),
    of("with a context twice", {
      config: whole("one", { contexts: [x, { name: "x", context: { cluster: "d" } }] }),
    }),
    of("with an entry without name", {
      config: whole("one", { users: [{ user: { token: "x" } }, ...user("one")] }),
    }),
    of("with null lists", { config: whole("one", { users: null }) }),
    of("with a null entry", { config: whole("one", { users: [null, ...user("one")] }) }),
    of("with a map of users", { config: whole("one", { users: { u: { token: "x" } } }) }),
    of("with a namespace", {
      config: JSON.stringify(
        kubeconfig({ cluster, user: { token: "t" }, context: { namespace: "team" } }),
      ),
    }),
    of("with names in capitals", {
      config: whole("one", { contexts: [{ name: "X", context: x.context }] }),
    }),
    of("with an error in another user", {
      config: whole("one", { users: [...user("one"), { name: "v", user: { exec: {} } }] }),
    }),
    of("with a wrong type in another user", {
      config: whole("one", { users: [...user("one"), { name: "v", user: { token: [] } }] }),
    }),
  ];
}
