import { builtinKinds } from "../../src/kinds/builtin-kinds.ts";
import type { Kind, KindHost } from "../../src/kinds/define-kind.ts";
import { podKind } from "../../src/kinds/pod.ts";
import type { ApiObject } from "../../src/api/api-object.ts";
import type { FieldError } from "../../src/api/errors.ts";
import { describeErrors } from "./describe-errors.ts";
import { container } from "./valid-specs.ts";
import { ManualClock } from "./manual-clock.ts";

const host: KindHost = {
  clock: new ManualClock(0),
  podDeletion: "never",
  namespaceDeletion: "never",
  validation: "full",
  services: { ranges: ["10.0.0.0/24"], nodePorts: { first: 30_000, last: 32_767 } },
  objectsOf: () => [],
  labelsOf: () => ({}),
  deleteObject: () => {},
  terminateNamespace: () => {},
  customResourceDefinitions: {},
};

/** Runs the validation of a kind. */
export class KindRules {
  readonly #kind: Kind;
  readonly #strategy: ReturnType<Kind["strategy"]>;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#strategy = kind.strategy(host);
  }

  /** Returns the problems of a new object. */
  ofNew(fields: object): readonly string[] {
    return this.#texts((object, served) => this.#strategy.validateCreate?.(object, served), fields);
  }

  /** Returns the problems of a change. */
  ofChange(fields: object, stored: object): readonly string[] {
    const old = this.#admit(stored);
    return this.#texts((object, served) => {
      const changed = { ...object, metadata: { ...object.metadata, uid: "u" } };
      return this.#strategy.validateUpdate?.(changed, old, served);
    }, fields);
  }

  /** Returns the problems of a change of the status. */
  ofStatus(status: object, stored: object = {}): readonly string[] {
    const old = { ...this.#admit({}), status: stored };
    const [served] = this.#kind.definition.versions;
    if (served === undefined) throw new Error("The kind has no version");
    const errors = this.#strategy.validateStatus?.({ ...old, status }, old, served) ?? [];
    return describeErrors(errors);
  }

  warnings(fields: object): readonly string[] {
    return this.#strategy.warnings?.(this.#admit(fields), undefined) ?? [];
  }

  #texts(
    check: (
      object: ApiObject,
      served: Kind["definition"]["versions"][number],
    ) => readonly FieldError[] | undefined,
    fields: object,
  ): readonly string[] {
    const [served] = this.#kind.definition.versions;
    if (served === undefined) throw new Error("The kind has no version");
    return describeErrors(check(this.#admit(fields), served) ?? []);
  }

  #admit(fields: object): ApiObject {
    const object: ApiObject = { metadata: { name: "x", uid: "u" }, ...fields };
    const [served] = this.#kind.definition.versions;
    const conformed = this.#strategy.conform?.(object, served).object ?? object;
    return this.#strategy.prepareForCreate?.(conformed) ?? conformed;
  }
}

export function rulesOfKind(name: string): KindRules {
  const kind = builtinKinds.find(({ definition }) => definition.kind === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return new KindRules(kind);
}

/** Returns the problems of a new pod with this spec and a valid container. */
export function podErrors(spec: object): readonly string[] {
  return new KindRules(podKind).ofNew({ spec: { containers: [container], ...spec } });
}

/** Returns the problems of a new pod with this container. */
export function containerErrors(fields: object, spec: object = {}): readonly string[] {
  const errors = podErrors({ ...spec, containers: [{ ...container, ...fields }] });
  return errors.map((text) => text.replace("spec.containers[0].", ""));
}
