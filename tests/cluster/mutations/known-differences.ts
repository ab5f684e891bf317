/** A difference between the servers that is known, by the text of the report. */
export interface KnownDifference {
  readonly pattern: RegExp;
  readonly why: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    pattern: /^\S+ \w+: .*\n {2}(?:object\.status\.conditions|real: 409)/,
    why: "a real server writes the status of its own registrations at any time",
  },
  {
    pattern: /^.*(?:\.\d+ removed|labels\.\w+ removed|storage removed|:= (?:\[\]|\{\}|""))\n/,
    why: "the fake server no longer knows that a list, an object or a text was sent empty",
  },
  {
    pattern: /^\S+ (?:CustomResourceDefinition|Pod): spec(?:\.versions|\.nodeSelector)? removed\n/,
    why: "the fake server shows an absent list or object as an empty one",
  },
  {
    pattern: /^\S+ ResourceClaimTemplate: [\s\S]*"Spec/,
    why: "the template was sent with an empty list, which the message shows",
  },
  {
    pattern: /^\S+ ResourceClaimTemplate: .* := doubled\n/,
    why: "the members of a repeated item are shown by name, not as in the type",
  },
  {
    pattern: /^.*\n {2}object\.metadata\.generation: expected 2, got 1/,
    why: "the object was sent with empty lists, whose loss is a change",
  },
  {
    pattern: /compilation failed|must evaluate to bool/,
    why: "a wrong expression is described by its first problem, those of selectors of devices never",
  },
  {
    pattern: /^\S+ CustomResourceDefinition: metadata\.labels/,
    why: "a real server reports labels of a changed definition three times",
  },
  {
    pattern: /^\S+ CustomResourceDefinition: spec\.versions\.0\.name := /,
    why: "the name of the first version is reported for its list alone",
  },
  {
    pattern: /^\S+ StorageVersionMigration: spec\.resource\.resource := /,
    why: "the resource is checked as a label of another form",
  },
  {
    pattern: /^\S+ Service: spec\.(?:ports|ipFamilyPolicy)/,
    why: "ports of nodes are given after the check of repeated ports, and others are random",
  },
  {
    pattern: /^\S+ Job: spec\.manualSelector/,
    why: "the message has a random identity",
  },
  {
    pattern: /hostProcess containers are disallowed by cluster policy/,
    why: "the fake server allows privileged containers",
  },
];
