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
  objectsOf: () => [],
  labelsOf: () => ({}),
  deleteObject: () => {},
  terminateNamespace: () => {},
  customResourceDefinitions: {},
};

/** What the rules of a kind find in the objects of one. */
export class KindRules {
  readonly #kind: Kind;
  readonly #strategy: ReturnType<Kind["strategy"]>;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#strategy = kind.strategy(host);
  }

  /** What is wrong with a new object. */
  ofNew(fields: object): readonly string[] {
    return this.#texts((object, served) => this.#strategy.validateCreate?.(object, served), fields);
  }

  /** What is wrong with a change of an object. */
  ofChange(fields: object, stored: object): readonly string[] {
    const old = this.#admit(stored);
    return this.#texts((object, served) => {
      const changed = { ...object, metadata: { ...object.metadata, uid: "u" } };
      return this.#strategy.validateUpdate?.(changed, old, served);
    }, fields);
  }

  /** What is wrong with a change of the status alone. */
  ofStatus(status: object, stored: object = {}): readonly string[] {
    const old = { ...this.#admit({}), status: stored };
    const [served] = this.#kind.definition.versions;
    if (served === undefined) throw new Error("The kind has no version");
    const errors = this.#strategy.validateStatus?.({ ...old, status }, old, served) ?? [];
    return describeErrors(errors);
  }

  /** The warnings for a new object. */
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

/** The rules of a built-in kind. */
export function rulesOfKind(name: string): KindRules {
  const kind = builtinKinds.find(({ definition }) => definition.kind === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return new KindRules(kind);
}

/** What is wrong with a new pod of this spec; the container is one that is fine. */
export function podErrors(spec: object): readonly string[] {
  return new KindRules(podKind).ofNew({ spec: { containers: [container], ...spec } });
}

/** What is wrong with a new pod with this container. */
export function containerErrors(fields: object, spec: object = {}): readonly string[] {
  const errors = podErrors({ ...spec, containers: [{ ...container, ...fields }] });
  return errors.map((text) => text.replace("spec.containers[0].", ""));
}
