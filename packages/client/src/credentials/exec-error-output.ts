import { withoutUserInformation } from "../http/address.ts";
import type { ExecConfig } from "./cluster-config.ts";

/** Number of characters of the error output that a message shows. */
const shownLength = 2000;

/**
 * Returns the end of a plugin's error output, without tokens and without secrets of the kubeconfig,
 * which the plugin may quote.
 */
export function withoutSecrets(text: string, { args, env }: ExecConfig, output: string): string {
  const given = args.flatMap((arg, index) => {
    const [, value] = /^-[^=]*=(.*)$/s.exec(arg) ?? [];
    const isSecret = secretName.test(value === undefined ? (args[index - 1] ?? "") : arg);
    return isSecret ? [value ?? arg] : [];
  });
  const values = [...Object.values(env), ...given, output.trim()];
  let shown = text;
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    if (value.length >= minSecretLength) shown = shown.replaceAll(value, "…");
  }
  shown = withoutUserInformation(shown).replaceAll(secretMember, "$1…").replaceAll(jwt, "…");
  return shown.slice(-shownLength);
}

/** Shorter values are words that occur by chance. */
const minSecretLength = 6;
/** Names of arguments whose values are not shown. */
const secretName = /^-.*(pass|pw|secret|token|key|cred|auth)/i;
/** A member of an ExecCredential, or of a response of an identity provider, with its value. */
const secretMember =
  /((?:token|secret|password|keydata)"?\s*(?::\s*"|=\s*"?|:\s*(?=[^\s"]{20})))[^\s",;}]+/gi;
/** A JSON Web Token: header and claims start with the same letters. */
const jwt = /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;
