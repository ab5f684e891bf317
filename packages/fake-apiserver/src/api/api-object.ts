/** Any JSON object with Kubernetes metadata, as stored. Stored objects are never mutated. */
export interface ApiObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ApiObjectMeta;
  readonly [field: string]: unknown;
}

/** The part of ObjectMeta the server itself reads. */
export interface ApiObjectMeta {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly unknown[] | undefined;
  readonly [field: string]: unknown;
}

/** `details` of a Status. */
export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?:
    | readonly {
        readonly reason?: string | undefined;
        readonly message?: string | undefined;
        readonly field?: string | undefined;
      }[]
    | undefined;
  readonly retryAfterSeconds?: number | undefined;
}
