import type { RecordedRequest, RequestMatch, RequestRecorder } from "../../control/requests.ts";
import type { RequestInfo } from "../../input/request-info.ts";
import { checkRequestMatch, matchesRequest } from "../inputs/request-match.ts";

/** The writable side of a {@link RecordedRequest}, for the recorder only. */
export type RequestRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

// Enough for any test that reads them back, and a bound for servers that run for days.
const defaultLimit = 10_000;
// Characters of request bodies that are kept, all records together.
const bodyBudget = 8 * 1024 * 1024;

/** Keeps the records in an array whose beginning is dead, so that dropping one costs O(1). */
export class RequestLog implements RequestRecorder {
  limit: number = defaultLimit;

  #records: RequestRecord[] = [];
  #first = 0;
  #withBody = 0;
  #bodyCharacters = 0;
  #count = 0;
  #lastId = 0;

  get count(): number {
    return this.#count;
  }

  list(match?: RequestMatch): readonly RecordedRequest[] {
    const kept = this.#records.slice(this.#first);
    if (match === undefined) return kept;
    checkRequestMatch(match);
    return kept.filter((record) => matchesRequest(match, record));
  }

  clear(): void {
    this.#records = [];
    this.#first = 0;
    this.#withBody = 0;
    this.#bodyCharacters = 0;
    this.#count = 0;
  }

  /** Records a request that has arrived. */
  begin(info: RequestInfo, time: number): RequestRecord {
    const record: RequestRecord = {
      id: ++this.#lastId,
      time,
      method: info.method,
      path: info.path,
      search: info.search,
      query: info.query,
      headers: info.request.headers,
      verb: info.verb,
      group: info.group,
      version: info.version,
      resource: info.resource,
      subresource: info.subresource,
      namespace: info.namespace,
      name: info.name,
      body: undefined,
      status: undefined,
      watchId: undefined,
    };
    this.#count++;
    this.#records.push(record);
    if (this.#records.length - this.#first > this.limit) this.#dropOldest();
    return record;
  }

  bodyRead(record: RequestRecord, text: string): void {
    record.body = text;
    this.#bodyCharacters += text.length;
    while (this.#bodyCharacters > bodyBudget && this.#withBody < this.#records.length) {
      this.#dropBody(this.#records[this.#withBody++]);
    }
  }

  watchOpened(record: RequestRecord, watchId: string): void {
    record.watchId = watchId;
  }

  answered(record: RequestRecord, status: number): void {
    record.status = status;
  }

  #dropOldest(): void {
    const oldest = this.#records[this.#first];
    this.#dropBody(oldest);
    this.#first++;
    this.#withBody = Math.max(this.#withBody, this.#first);
    // Half of the array is dead: one copy for as many requests as it is long.
    if (this.#first * 2 < this.#records.length) return;
    this.#withBody -= this.#first;
    this.#records = this.#records.slice(this.#first);
    this.#first = 0;
  }

  #dropBody(record: RequestRecord | undefined): void {
    if (record?.body === undefined) return;
    this.#bodyCharacters -= record.body.length;
    record.body = undefined;
  }
}
