import type { Client, Resource } from "@listwatch/client";
import {
  aClock,
  aFunction,
  aNumber,
  anObject,
  checkOptions,
  having,
  systemClock,
  type Clock,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { subjectaccessreviews } from "@listwatch/resources/authorization.k8s.io/v1";
import type { Grant } from "./grant.ts";

/** A user, as an API server names it. */
export interface AccessUser {
  /** Name of the user. Without one, and with an empty one, everything is denied. */
  readonly user: string | null | undefined;
  /** Groups of the user. @default none */
  readonly groups?: readonly string[] | undefined;
}

/** Options of {@link reviewAccess}. */
export interface ReviewAccessOptions {
  /** Client of the server's account, which needs the right to create SubjectAccessReviews. */
  readonly client: Client;
  /** The resource of each collection, by its name. Others are denied. */
  readonly resources: Readonly<Record<string, Resource<object>>>;
  /**
   * Called with the request of a page. Returns its user, or `undefined` to deny everything. The
   * program has authenticated the user before: this function only reads the result.
   */
  readonly userOf: (request: Request) => AccessUser | Promise<AccessUser | undefined> | undefined;
  /**
   * Called for a user who may not see the whole collection. Returns namespaces to ask for; the page
   * sees those that are granted.
   *
   * @default none
   */
  readonly namespaces?: (() => Iterable<string>) | undefined;
  /** Time for which an answer is used for all pages of a user, in milliseconds. @default 10000 */
  readonly keepMs?: number | undefined;
  /** Clock of the kept answers. @default systemClock */
  readonly clock?: Clock | undefined;
}

const reviewTable: OptionsOf<ReviewAccessOptions> = {
  client: having("resource"),
  resources: anObject,
  userOf: aFunction,
  namespaces: aFunction,
  keepMs: aNumber(0),
  clock: aClock,
};

/** The user of a review. */
interface Subject {
  readonly user: string;
  readonly groups: string[];
}

/** Greatest number of answers that are kept. */
const maxAnswers = 10_000;

/**
 * Creates an `authorize` that asks the API server with SubjectAccessReviews: a page may see what
 * its user may list and watch, in the whole cluster or in single namespaces. An answer is used for
 * `keepMs`, so that many pages of one user cost one question.
 *
 * @throws {InvalidOptionsError} if an option is missing or has a value that is not allowed
 */
export function reviewAccess(
  options: ReviewAccessOptions,
): (request: Request, collection: string) => Promise<Grant> {
  checkOptions(options, reviewTable, ["client", "resources", "userOf"]);
  const reviewer = new Reviewer(options);
  return (request, collection) => reviewer.grantOf(request, collection);
}

class Reviewer {
  readonly #options: ReviewAccessOptions;
  readonly #clock: Clock;
  readonly #answers = new Map<
    string,
    { readonly untilMs: number; readonly answer: Promise<boolean> }
  >();

  constructor(options: ReviewAccessOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async grantOf(request: Request, collection: string): Promise<Grant> {
    const { namespaces, resources, userOf } = this.#options;
    const resource = Object.hasOwn(resources, collection) ? resources[collection] : undefined;
    const { groups, user } = (await userOf(request)) ?? {};
    if (resource === undefined || typeof user !== "string" || user === "") return false;
    const subject = { user, groups: [...(groups ?? [])] };
    if (await this.#mayRead(subject, resource, undefined)) return true;
    if (resource.scope === "Cluster" || namespaces === undefined) return false;
    const asked = [...namespaces()];
    const allowed = await Promise.all(asked.map((each) => this.#mayRead(subject, resource, each)));
    return { namespaces: asked.filter((_, index) => allowed[index]) };
  }

  async #mayRead(
    subject: Subject,
    resource: Resource<object>,
    namespace: string | undefined,
  ): Promise<boolean> {
    const verbs = ["list", "watch"].map((verb) => this.#ask(subject, resource, namespace, verb));
    return (await Promise.all(verbs)).every(Boolean);
  }

  #ask(
    subject: Subject,
    { group, resource, version }: Resource<object>,
    namespace: string | undefined,
    verb: string,
  ): Promise<boolean> {
    const { keepMs = 10_000 } = this.#options;
    const attributes = {
      group,
      version,
      resource,
      verb,
      ...(namespace !== undefined && { namespace }),
    };
    const id = JSON.stringify([subject, attributes]);
    const nowMs = this.#clock.now();
    const known = this.#answers.get(id);
    if (known !== undefined && nowMs < known.untilMs) return known.answer;
    const answer = this.#review(subject, attributes);
    this.#answers.delete(id);
    this.#answers.set(id, { untilMs: nowMs + keepMs, answer });
    // The next question asks again after a failure.
    answer.catch(() => this.#answers.delete(id));
    for (const [oldest, { untilMs }] of this.#answers) {
      if (untilMs > nowMs && this.#answers.size <= maxAnswers) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }

  async #review(subject: Subject, resourceAttributes: object): Promise<boolean> {
    const review = await this.#options.client.resource(subjectaccessreviews).create({
      metadata: {},
      spec: { ...subject, resourceAttributes },
    });
    return review.status !== undefined && review.status.allowed && review.status.denied !== true;
  }
}
