/**
 * Rules for the messages of commits: `scope: imperative`, at most 72 characters, then a blank line
 * and a body that gives the reason, unless the subject does. `npm run check -- commits` checks
 * them.
 */

const packages = [
  "core-fifo",
  "client",
  "resources",
  "store-indexer",
  "reflector",
  "shared-informer",
  "workqueue",
  "controller",
  "client-node",
  "fake",
  "listwatch",
  "demo",
  "manager",
  "telemetry",
  "webhooks",
  "testing",
  "streams",
  "create-listwatch",
];
const otherFolders = ["docs", "examples", "conformance", "bench", "tests", "scripts"];
const concerns = ["check", "lint", "api", "size", "release", "repo"];

// First words of a statement. Other words are not refused: many are both a verb and a noun.
const notVerbs =
  /^(?:an?|the|this|that|these|those|each|every|all|both|no|one|it|its|what|which|where|when)\b/;

export default {
  parserPreset: {
    parserOpts: {
      headerPattern: /^([^:]+): (.+)$/,
      headerCorrespondence: ["scope", "subject"],
    },
  },
  helpUrl: '"Changes" in CONTRIBUTING.md',
  defaultIgnores: false,
  ignores: [(message: string): boolean => /^(?:Merge|Version packages)\b/.test(message)],
  plugins: [
    {
      rules: {
        "subject-imperative": ({ subject }: { subject: string | null }): [boolean, string] => [
          !notVerbs.test(subject ?? ""),
          "subject must begin with a verb, as in: add, move, fix",
        ],
      },
    },
  ],
  rules: {
    "header-max-length": [2, "always", 72],
    "scope-empty": [2, "never"],
    // No delimiter: a commit that needs two scopes has two reasons.
    "scope-enum": [
      2,
      "always",
      { scopes: [...packages, ...otherFolders, ...concerns], delimiters: ["\n"] },
    ],
    "subject-empty": [2, "never"],
    "subject-case": [2, "never", ["sentence-case"]],
    "subject-full-stop": [2, "never", "."],
    "subject-imperative": [2, "always"],
    "body-leading-blank": [2, "always"],
  },
};
