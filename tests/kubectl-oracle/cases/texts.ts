import { pemData, type Addresses, type OracleCase } from "../oracle-case.ts";

/** Forms of the text of a kubeconfig. */
export function textCases({ https }: Addresses): readonly OracleCase[] {
  const ca = pemData("ca.crt");
  const yaml = (user = "token: abc", rest = ""): string => `apiVersion: v1
kind: Config
current-context: x
clusters:
- name: c
  cluster:
    server: ${https}
    certificate-authority-data: ${ca}
contexts:
- name: x
  context:
    cluster: c
    user: u
users:
- name: u
  user:
    ${user}
${rest}`;
  const of = (name: string, config: string | Uint8Array): OracleCase => ({
    name: `text ${name}`,
    files: { config },
  });
  const value = (text: string): OracleCase => of(`with the token ${text}`, yaml(`token: ${text}`));
  const utf16 = (text: string, isBig: boolean): Uint8Array => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };
  return [
    of("in YAML", yaml()),
    of("with Windows' line ends", yaml().replaceAll("\n", "\r\n")),
    of("after a byte order mark", `\ufeff${yaml()}`),
    of("with a byte order mark and Windows' line ends", `\ufeff${yaml()}`.replaceAll("\n", "\r\n")),
    of("in UTF-16, little end first", utf16(yaml(), false)),
    of("in UTF-16, big end first", utf16(yaml(), true)),
    of("of a document with marks", `---\n${yaml()}...\n`),
    of("with a second document", yaml("token: abc", "---\nkind: Other\n")),
    of("with a broken second document", yaml("token: abc", "---\n{{{\n")),
    of("with comments", `# first\n${yaml("token: abc # last")}`),
    of("with a comment alone", "# nothing\n"),
    of("that is empty", ""),
    of("of spaces", " \n\n"),
    of("that is null", "null\n"),
    of("that is a list", "- a\n"),
    of("that is a word", "abc\n"),
    of("with tabs", yaml().replaceAll("    ", "\t")),
    of("with a tab at an end", yaml("token: abc\t")),
    of("with a key twice", yaml("token: abc\n    token: def")),
    of("with a section twice", yaml("token: abc", "users: []\n")),
    of("with quoted keys", yaml("\"token\": 'abc'")),
    of("with an anchor", yaml("token: &t abc\n    x: *t")),
    of("with an unknown anchor", yaml("token: *t")),
    of("with a merged map", yaml("<<: {token: merged}")),
    of("with a folded token", yaml("token: >-\n      abc")),
    of("with a literal token", yaml("token: |\n      abc")),
    of("with a token over two lines", yaml("token: abc\n      def")),
    of("in a flow", yaml("{token: abc}")),
    of("in a flow over lines", yaml("{token:\n      abc,\n    }")),
    of("in JSON with a last comma", yaml('{"token": "abc",}')),
    of("without kind and version", yaml().replace("apiVersion: v1\nkind: Config\n", "")),
    of("of another kind", yaml().replace("kind: Config", "kind: Other")),
    of("of another version", yaml().replace("apiVersion: v1", "apiVersion: v2")),
    of("with other capitals", yaml().replace("current-context", "Current-Context")),
    of("with null sections", yaml("token: abc", "preferences: null\nextensions: null\n")),
    of("with unknown sections", yaml("token: abc", "more: [1, {a: b}]\n")),
    of("with wrong unknown sections", yaml("token: abc", "preferences: []\n")),
    of(
      "with a number as name",
      yaml().replaceAll("name: c", "name: 1").replace("cluster: c", "cluster: 1"),
    ),
    of("with a NUL", yaml("token: abc\u0000")),
    of("with bytes that are not UTF-8", Buffer.from(yaml("token: a\u00e9"), "latin1")),
    of("with an escape", yaml('token: "\\x61\\u0062c"')),
    of("with an escaped slash", yaml('token: "a\\/b"')),
    ...["yes", "~", "null", "0123", "0o17", "0x1F", "1_000", "1e3", ".5", "1.50", "12:30:45"].map(
      value,
    ),
    ...["2020-01-01", "2020-01-01T00:00:00Z", ".inf", "=", "!!str 123", "!!binary YWJj"].map(value),
    ...[
      "'1'",
      '"yes"',
      "-",
      "abc: def",
      "abc #def",
      "abc#def",
      "@abc",
      "%abc",
      "12345678901234567890",
    ].map(value),
  ];
}
