/** Answers to the questions, which name what is created. */
export interface Answers {
  /** Name of the program: of its package, image, namespace and service account. */
  readonly name: string;
  /** Kind of the custom resource, such as `Greeting`. */
  readonly kind: string;
  /** Plural of the custom resource, such as `greetings`. */
  readonly plural: string;
  /** API group of the custom resource, such as `example.com`. */
  readonly group: string;
}

/** Words of a template that answers replace. A template without a custom resource has a name. */
export type Words = Answers | { readonly name: string; readonly kind?: undefined };

/** A mistake in the command line or in an answer. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

// A label of DNS, as Kubernetes wants for namespaces (RFC 1123), here at most 50 characters long:
// names of pods begin with it.
const namePattern = /^[a-z](?:[-a-z\d]{0,48}[a-z\d])?$/;
const kindPattern = /^[A-Z][A-Za-z\d]{0,61}$/;
const pluralPattern = /^[a-z][a-z\d]{0,61}$/;
const groupPattern = /^(?:[a-z\d](?:[-a-z\d]*[a-z\d])?\.)+[a-z\d](?:[-a-z\d]*[a-z\d])?$/;

/** Returns the name. @throws {UsageError} if a namespace cannot have it */
export function checkName(name: string): string {
  const expected = "lower-case letters, digits and dashes, at most 50, beginning with a letter";
  return checked("the name of the folder", name, namePattern, expected);
}

/** Returns the kind. @throws {UsageError} if it is not one */
export function checkKind(kind: string): string {
  return checked("--kind", kind, kindPattern, "an upper-case letter, then letters and digits");
}

/** Returns the plural. @throws {UsageError} if it is not one */
export function checkPlural(plural: string): string {
  return checked("--plural", plural, pluralPattern, "lower-case letters and digits");
}

/** Returns the group. @throws {UsageError} if it is not one, or one of Kubernetes */
export function checkGroup(group: string): string {
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  const pattern = isProtected ? /^$/ : groupPattern;
  return checked("--group", group, pattern, "a domain of yours, such as example.com");
}

function checked(what: string, value: string, pattern: RegExp, expected: string): string {
  if (pattern.test(value)) return value;
  throw new UsageError(`${what}: expected ${expected}, got "${value}"`);
}

/** Returns the English plural of a kind, in lower case. */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Returns the content of a template with the words of the answers. */
export function withAnswers(text: string, words: Words, answers: Answers): string {
  const replacements = new Map([[words.name, answers.name]]);
  if (words.kind !== undefined) {
    replacements.set(words.group, answers.group);
    replacements.set(words.kind, answers.kind);
    replacements.set(words.plural, answers.plural);
    replacements.set(words.kind.toLowerCase(), answers.kind.toLowerCase());
  }
  const found = new RegExp([...replacements.keys()].map(escaped).join("|"), "g");
  return text.replaceAll(found, (word) => replacements.get(word) ?? word);
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
