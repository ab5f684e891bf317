/** Cases with a result other than kubectl's, for one reason. */
export interface Difference {
  readonly reason: string;
  readonly cases: readonly string[];
  /** Runtimes on which the cases differ. @default all */
  readonly runtimes?: readonly string[];
}

/** Deliberate differences from kubectl. A case that is listed must differ. */
export const differences: readonly Difference[] = [
  {
    reason:
      "kubectl asks for a name and a password if the user has no other credential; a program sends an anonymous request",
    cases: [
      "user empty",
      "user null",
      "user not named by the context",
      "user with an empty name",
      "user with an empty token",
      "user with a null token",
      "user that impersonates in Unicode",
      "user that impersonates without credentials",
      "user that impersonates a group with a comma",
      "user that impersonates an empty group",
      "plugin with a null",
      "text with the token ~",
      "text with the token null",
    ],
  },
  {
    reason: "kubectl asks for the missing name; a program sends the password with an empty name",
    cases: ["user with a password alone"],
  },
  {
    reason: "data and a file: kubectl refuses both; the data win, as the format documents it",
    cases: [
      "user with a certificate as data and in a file",
      "user with a key as data and in a file",
      "cluster with an authority as data and in a file",
    ],
  },
  {
    reason: "a line end after a token is dropped; Go's HTTP client refuses it",
    cases: [
      "user with a line end after the token",
      "plugin that prints a token with a line end",
      "text with a literal token",
    ],
  },
  {
    reason:
      "tokens are ASCII (RFC 6750 §2.1): Go sends other characters as UTF-8, fetch as Latin-1",
    cases: ["user with a token in Unicode"],
  },
  {
    reason: "interactiveMode may be missing in v1, and is IfAvailable as in v1beta1",
    cases: ["plugin of v1 without a mode"],
  },
  {
    reason: "a plugin prints JSON, as all published ones do; kubectl also reads YAML",
    cases: ["plugin that prints YAML"],
  },
  {
    reason: "a script without a first line is run by a shell (execvp); Go refuses it",
    cases: ["plugin without a first line"],
    runtimes: ["node", "deno"],
  },
  {
    reason: "slashes at the start of a path are kept; Go joins them",
    cases: ["cluster with two slashes"],
  },
  {
    reason: "a fragment is refused; kubectl makes it a part of the path",
    cases: ["cluster with a fragment"],
  },
  {
    reason: "a password in an address is refused, because addresses are shown in logs",
    cases: ["cluster with user information"],
  },
  {
    reason:
      "an address without a scheme that has an authority is one with TLS; kubectl ignores the authority and sends plain HTTP",
    cases: ["cluster without a scheme", "cluster without a scheme that is insecure"],
  },
  {
    reason: "credentials are sent over plain HTTP on loopback, which they do not leave",
    cases: [
      "cluster without a scheme and an authority",
      "cluster over HTTP",
      "cluster over HTTP with a password",
      "cluster over HTTP with an authority",
    ],
  },
  {
    reason: "what a connection does not use is not checked",
    cases: [
      "text of another kind",
      "text of another version",
      "text with wrong unknown sections",
      "files with a wrong type in another user",
    ],
  },
  {
    reason: "a number where a string is expected is read as it is written; kubectl refuses it",
    cases: [
      "user with a number as token",
      "text with a number as name",
      "text with the token 0123",
      "text with the token 0o17",
      "text with the token 0x1F",
      "text with the token 1_000",
      "text with the token 1e3",
      "text with the token .5",
      "text with the token 1.50",
      "text with the token .inf",
      "text with the token 12345678901234567890",
    ],
  },
  {
    reason: "the escape \\/ of a quoted text, which YAML 1.2 has and Go's reader lacks, is read",
    cases: ["text with an escaped slash"],
  },
];
