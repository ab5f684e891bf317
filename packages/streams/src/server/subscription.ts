import type { ProblemReason } from "@listwatch/shared-informer";
import type { Change, CollectionLog } from "../log/collection-log.ts";
import { formatMessage } from "../protocol/frames.ts";
import type { ListReason } from "../protocol/messages.ts";
import type { SignedView, View } from "./view.ts";

/**
 * State of a collection on a stream:
 *
 * - `waiting`: for the first answer about the grant, or for the sync of the informer;
 * - `denied`: not granted, so nothing is sent;
 * - `listing`: a fresh list is being sent;
 * - `live`: the page has had a complete state.
 */
export type SubscriptionPhase = "waiting" | "denied" | "listing" | "live";

/** Message about a collection as a whole. */
type Notice = "continued" | "denied" | "list" | "noView" | "paused" | "problem";

/** The last complete state that a page says it has. */
export interface ResumePoint {
  /** Number of the last change that the page has; `undefined` if it is not known any more. */
  readonly change: number | undefined;
  readonly view: string;
}

// Shared by all subscriptions for which nothing waits, as for most of many pages. Stay empty.
const noObjects = new Map<string, boolean>();
const noNotices = new Map<string, Notice>();

/** One collection on the stream of one page: what the page may see, and what waits for it. */
export class Subscription {
  readonly name: string;
  /** `undefined` if there is no such collection. To the page that looks like a denied one. */
  readonly log: CollectionLog | undefined;
  /** Where the page was before, until the first grant. */
  resume: ResumePoint | undefined;
  /** Reason for a fresh list. */
  listReason: ListReason;
  #phase: SubscriptionPhase = "waiting";
  #view: View | undefined;
  /** Names the view in a resume of this page. */
  #signature: string | undefined;
  /** Whether the grant is unknown, so that nothing may be sent at the moment. */
  #isPaused = false;
  /**
   * Keys whose state waits to be sent, with whether the page has the object. At most one entry for
   * each object, without its content: a slow page costs no more.
   */
  #waiting = noObjects;
  /** Messages about the collection that wait to be sent. The last one of each kind counts. */
  #notices = noNotices;
  #sentProblem: ProblemReason | undefined;
  /** Signature of the view that the page has completely. */
  #sentView: string | undefined;

  constructor(name: string, log: CollectionLog | undefined, listReason: ListReason) {
    this.name = name;
    this.log = log;
    this.listReason = listReason;
  }

  get phase(): SubscriptionPhase {
    return this.#phase;
  }

  /** The view of changes that are sent at once; `undefined` before the list is complete. */
  get liveView(): View | undefined {
    return this.#phase === "live" && !this.#isPaused ? this.#view : undefined;
  }

  /** Number of objects that wait to be sent. */
  get backlog(): number {
    return this.#waiting.size;
  }

  /** Whether changes are sent at once: the page has everything that it may see, or sees nothing. */
  get isIdle(): boolean {
    return !this.#isPaused && this.isComplete;
  }

  /**
   * Whether a position of the stream may include this collection. A page forgets the view of a
   * paused collection, so that it does not resume it from that position.
   */
  get isComplete(): boolean {
    if (this.#notices.size > 0) return false;
    if (this.#isPaused) return true;
    if (this.#waiting.size > 0) return false;
    // A page that still waits for its resume must not lose its position.
    if (this.#phase === "waiting") return this.resume === undefined;
    return this.#phase === "denied" || this.#sentView === this.#signature;
  }

  /** Uses a grant: begins a list or a resume, or sends what the new view adds and removes. */
  allow({ signature, view }: SignedView): void {
    this.continue();
    if (this.#signature === signature) return;
    const before = this.#view;
    this.#view = view;
    this.#signature = signature;
    if (before === undefined) this.begin();
    else this.#change(before, view);
  }

  /** Begins to send, once there is a grant and the informer has synced. */
  begin(): void {
    const { log } = this;
    const view = this.#view;
    if (view === undefined || log?.isSynced !== true) {
      this.#phase = "waiting";
      return;
    }
    const { resume } = this;
    this.resume = undefined;
    this.#waiting = noObjects;
    if (resume !== undefined && this.#resume(resume, view, log)) return;
    this.#phase = "listing";
    this.#sentView = undefined;
    this.#notify("state", "list");
    for (const [key, object] of log.objects) if (view.sees(object)) this.#wait(key, false);
  }

  /** Ends the grant. The page drops all objects. */
  deny(): void {
    if (this.#phase === "denied") return;
    this.#isPaused = false;
    this.#phase = "denied";
    this.#view = undefined;
    this.#signature = undefined;
    this.resume = undefined;
    this.listReason = "otherView";
    this.#waiting = noObjects;
    this.#notices = noNotices;
    this.#notify("state", "denied");
    this.#sentProblem = undefined;
  }

  /** Sends nothing until the next answer about the grant. Changes are noted. */
  pause(): void {
    // Nothing is sent of a denied collection, which must look like one that does not exist.
    if (this.#isPaused || this.#phase === "denied") return;
    this.#isPaused = true;
    this.#sentView = undefined;
    this.#notify("pause", "paused");
  }

  /** Sends again what is granted. */
  continue(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    // A page that has not heard of the pause need not hear of its end.
    if (!this.#notices.delete("pause")) this.#notify("pause", "continued");
  }

  /** Notes a change that cannot be sent at once. */
  note({ key, object, old }: Change): void {
    const view = this.#view;
    const isSending = this.#phase === "live" || this.#phase === "listing";
    if (view === undefined || !isSending || this.#waiting.has(key)) return;
    const isKnown = view.sees(old);
    if (isKnown || view.sees(object)) this.#wait(key, isKnown);
  }

  /** Notes that the informer of the server is stale, or is current again. */
  noteProblem(): void {
    if (this.#view === undefined || this.log === undefined) return;
    if (this.log.problem !== this.#sentProblem) this.#notify("problem", "problem");
  }

  /**
   * Returns the messages that wait, one after another. The caller ends when it has enough; the rest
   * stays.
   */
  *drain(): Generator<string, undefined> {
    const { name } = this;
    for (const [kind, type] of this.#notices) {
      this.#notices.delete(kind);
      yield this.#formatNotice(type);
    }
    if (this.#notices.size === 0) this.#notices = noNotices;
    const view = this.#view;
    const signature = this.#signature;
    if (view === undefined || signature === undefined || this.#isPaused) return undefined;
    for (const [key, isKnown] of this.#waiting) {
      this.#waiting.delete(key);
      const object = view.log.objects.get(key);
      if (view.sees(object)) yield view.frameOfObject(key, object);
      else if (isKnown) yield view.deletion(key);
    }
    if (this.#waiting.size === 0) this.#waiting = noObjects;
    if (this.#phase === "listing") {
      this.#phase = "live";
      this.#sentView = signature;
      yield formatMessage("listed", { collection: name, view: signature });
    } else if (this.#phase === "live" && this.#sentView !== signature) {
      this.#sentView = signature;
      yield formatMessage("view", { collection: name, view: signature });
    }
    return undefined;
  }

  #wait(key: string, isKnown: boolean): void {
    if (this.#waiting === noObjects) this.#waiting = new Map();
    this.#waiting.set(key, isKnown);
  }

  #notify(kind: string, type: Notice): void {
    if (this.#notices === noNotices) this.#notices = new Map();
    this.#notices.set(kind, type);
  }

  #formatNotice(type: Notice): string {
    const collection = this.name;
    switch (type) {
      case "list":
        return formatMessage("list", { collection, reason: this.listReason });
      case "noView":
        return formatMessage("view", { collection, view: "" });
      case "problem": {
        const reason = this.log?.problem;
        this.#sentProblem = reason;
        return formatMessage("problem", { collection, reason });
      }
      case "continued":
      case "denied":
      case "paused":
    }
    return formatMessage(type, { collection });
  }

  /** Notes what a page has missed. Returns false if it needs a list. */
  #resume({ change, view: signature }: ResumePoint, view: View, log: CollectionLog): boolean {
    if (signature !== this.#signature && this.listReason === "expired") {
      this.listReason = "otherView";
    }
    const changes =
      change === undefined || signature !== this.#signature ? undefined : log.since(change);
    if (changes === undefined) return false;
    this.#phase = "live";
    // Named again at the end: a page that was paused in between has forgotten it.
    this.#sentView = undefined;
    for (const [key, states] of changes) {
      // The page has the object if it saw one of the states since then: it may have received some
      // of the changes after the position.
      const isKnown = states.some((state) => view.sees(state));
      if (isKnown || view.sees(log.objects.get(key))) this.#wait(key, isKnown);
    }
    return true;
  }

  /** Notes the difference between two views: O(objects). Other fields need a fresh list. */
  #change(before: View, view: View): void {
    const isSending = this.#phase === "live" || this.#phase === "listing";
    if (!isSending || !view.hasFormOf(before)) {
      if (isSending) this.listReason = "otherView";
      this.begin();
      return;
    }
    if (this.#phase === "live") {
      // A stream that breaks inside the difference leaves a page that has neither of the views.
      this.#sentView = undefined;
      this.#notify("state", "noView");
    }
    for (const [key, object] of view.log.objects) {
      if (this.#waiting.has(key)) continue;
      const isKnown = before.sees(object);
      if (isKnown !== view.sees(object)) this.#wait(key, isKnown);
    }
  }
}
