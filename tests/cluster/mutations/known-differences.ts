/** A difference between the servers that is known, by the text of the report. */
export interface KnownDifference {
  readonly pattern: RegExp;
  readonly why: string;
  /** Whether a run need not meet it. @default false */
  readonly isRandom?: boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    pattern: /^\S+ \w+: .*\n {2}(?:object\.status\.conditions|real: 409)/,
    why: "a real server writes the status of its own registrations at any time",
  },
  {
    pattern:
      /^.*(?:\.\d+ removed|labels\.\w+ removed|storage removed|:= (?:\[\]|\{\}))\n {2}body\.[\s\S]*null/,
    why: "the fake server no longer knows that a list or an object was sent empty, and shows null",
  },
  {
    pattern: /^\S+ (?:CustomResourceDefinition|Pod): spec(?:\.versions|\.nodeSelector)? removed\n/,
    why: "the fake server shows an absent list or object as an empty one",
  },
  {
    pattern: /^\S+ CertificateSigningRequest: spec\.request := ""\n/,
    why: "an empty request is shown as null",
  },
  {
    pattern: /^\S+ Pod: spec\.overhead := \{\}\n/,
    why: "an empty overhead is none, where a server misses the class of the pod",
  },
  {
    pattern: /^\S+ ResourceSlice: .*\n {2}object\.metadata\.generation: expected 2, got 1$/,
    why: "a server counts a change before it drops fields that are disabled",
  },
  {
    pattern: /^\S+ ResourceClaimTemplate: spec\.spec\.devices\.requests.* := doubled\n/,
    why: "the members of a repeated item are shown by name, not as in the type",
  },
  {
    pattern: /^\S+ DeviceClass: spec\.extendedResourceName := ""\n/,
    why: "declared rules do not look at an empty text",
  },
  {
    pattern: /^\S+ CustomResourceDefinition: metadata\.(?:annotations|labels)/,
    why: "a real server reports metadata of a changed definition three times",
  },
  {
    pattern: /^\S+ ResourceClaimTemplate: .*parameters := a bad key\n/,
    why: "free parameters are shown as they were sent, not by name",
  },
  {
    pattern: /^\S+ CustomResourceDefinition: spec\.versions\.0\.name := /,
    why: "the name of the first version is reported for its list alone",
  },
  {
    pattern:
      /^\S+ Service: spec\.ports(?: := doubled|\.\d\.(?:protocol (?:removed|:= "")|nodePort := ))/,
    why: "ports of nodes are given after the check of repeated ports, and others are random",
  },
  {
    pattern: /^\S+ Service: spec\.ipFamilyPolicy := ""\n/,
    why: "the policy of families is filled before it is checked",
  },
  {
    pattern: /^\S+ Job: spec\.manualSelector (?:removed|:= false)\n/,
    why: "the message has a random identity",
  },
  {
    pattern: /hostProcess containers are disallowed by cluster policy/,
    why: "the fake server allows privileged containers",
  },
  {
    pattern: /compilation failed|must evaluate to bool/,
    why: "a wrong expression is described by its first problem, those of selectors of devices never",
  },
];

/** Differences between the servers in answers to random writes. */
export const knownOfWrites: readonly KnownDifference[] = [
  {
    pattern:
      /expected [\s\S]*(?:(?:Invalid|Unsupported) value: (?:\{\}|\[\])|(?:TopologyKeys|AccessModes)\\?":\[\]|Requests\\?":\{\})/,
    why: "the fake server no longer knows that a list or an object was sent empty, and shows null",
  },
  {
    pattern: /\n {2}warnings\[\d+\]: expected .*unknown field/,
    why: "what a JSON patch copies has its members in another order",
  },
  {
    pattern: /^\S+ HorizontalPodAutoscaler .*\n {2}managedFields.*(?:f:metrics|current-metrics)/,
    why: "metrics are fields of one version and an annotation of the other",
  },
  {
    pattern: /^\S+ ResourceClaimTemplate [\s\S]* spec: Invalid value: \{/,
    why: "the members of a refused spec are shown by name, not as in the type",
  },
  {
    pattern: /compilation failed|must evaluate to bool/,
    why: "a wrong expression is described by its first problem, those of selectors of devices never",
  },
  {
    pattern: /^\S+ Service [\s\S]*\.nodePort: Invalid value/,
    why: "a real server gives node ports before it checks an update, and says nothing else",
  },
  {
    pattern: /^\S+ Service [\s\S]*spec\.ipFamilyPolicy: Unsupported value: ""/,
    why: "the policy of families is filled before it is checked",
  },
  {
    pattern: /^\S+ Endpoints .*\/scale.*\n {2}warnings: expected 0/,
    why: "a subresource that is not there warns of its deprecated resource",
  },
  {
    pattern: /\/scale .*\n {2}body\.message: expected .*object \d+: json: .*ScaleSpec/,
    why: "a Scale in the error of its patch shows the owner of its number",
  },
  {
    pattern: /^\S+ DeviceClass .*\n {2}object\.metadata\.generation/,
    why: "a patch that changes nothing counts as a change",
  },
  {
    pattern: /^\S+ ConfigMap .*strategic[\s\S]*illegal base64/,
    why: "of two wrong values of a map, Go finds any first",
    isRandom: true,
  },
  {
    pattern:
      /^\S+ Job .*\n {2}body\.message: expected [\s\S]*\\"Containers\\":\[\]|^\S+ Job .*containers.*\n {2}body\.message: expected .*containers: Required value, spec\.template/,
    why: "the fake server no longer knows that a list was sent empty, and shows null",
  },
  {
    pattern:
      /json-patch\+json .*\n {2}body\.message: expected .*object (\d+): .*, got .*object \1: /,
    why: "of two values of wrong types, another one is reported first",
  },
];
