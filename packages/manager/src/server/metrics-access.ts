import type { Client } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { isRecord, recordOf } from "@listwatch/core-fifo/base";

/** Time for which a decision is kept, in milliseconds. */
const keptMs = 60_000;

/** Maximum number of decisions that are kept. */
const maxDecisions = 1000;

interface Decision {
  readonly untilMs: number;
  readonly status: Promise<200 | 401 | 403>;
}

/**
 * Decides who may read `/metrics`, as controller-runtime does: the API server is asked whose token
 * it is (TokenReview), and whether that user may get the path (SubjectAccessReview). Decisions are
 * kept for a minute, by token; failures to ask are not.
 */
export class MetricsAccess {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #decisions = new Map<string, Decision>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * Returns 200 if the sender may read the metrics, 401 if it is unknown, otherwise 403.
   *
   * @param authorization value of the header
   * @throws the error of a request to the API server
   */
  async check(authorization: string | undefined): Promise<200 | 401 | 403> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return 401;
    const now = this.#clock.now();
    const present = this.#decisions.get(token);
    if (present !== undefined && now < present.untilMs) return present.status;
    const decision = { untilMs: now + keptMs, status: this.#decide(token) };
    this.#decisions.delete(token);
    this.#decisions.set(token, decision);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > maxDecisions && oldest !== undefined) this.#decisions.delete(oldest);
    try {
      return await decision.status;
    } catch (error) {
      if (this.#decisions.get(token) === decision) this.#decisions.delete(token);
      throw error;
    }
  }

  async #decide(token: string): Promise<200 | 401 | 403> {
    const review = await this.#ask("authentication.k8s.io", "TokenReview", { token });
    const { authenticated, user } = review;
    if (authenticated !== true || !isRecord(user)) return 401;
    const { extra, groups, uid, username } = user;
    const nonResourceAttributes = { path: "/metrics", verb: "get" };
    const spec = { user: username, groups, uid, extra, nonResourceAttributes };
    const { allowed } = await this.#ask("authorization.k8s.io", "SubjectAccessReview", spec);
    return allowed === true ? 200 : 403;
  }

  async #ask(
    group: string,
    kind: string,
    spec: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
    const body = { apiVersion: `${group}/v1`, kind, spec };
    const answer = await this.#client.request({ method: "POST", path, body });
    return recordOf(recordOf(answer)["status"]);
  }
}
