import { Conversation, type Fields } from "../framework/conversation.ts";
import { isRecordedOrder } from "../framework/notification-order.ts";
import { compareRequests } from "../framework/scripted-source.ts";
import type { CaseData, Failure, Unit } from "../framework/unit.ts";
import { isRecord, isSame, list, text } from "../framework/values.ts";

const stateMembers = [
  "store",
  "lastSyncRV",
  "storeRV",
  "synced",
  "handlerSynced",
  "indexes",
  "pending",
  "state",
  "isStopped",
];

/** Returns the differences of one step, by member. */
function differences(
  expect: Fields,
  state: Fields,
  conversation: Conversation,
  lenient: readonly unknown[],
): { readonly expected: unknown; readonly got: unknown } | undefined {
  const wrongRequests = compareRequests(
    Array.isArray(expect["requests"]) ? expect["requests"] : [],
    conversation.requests,
  );
  if (wrongRequests !== undefined) return { expected: "the recorded requests", got: wrongRequests };
  const plain = lenient.includes("transformCount") ? withoutCounts : (value: unknown) => value;
  const got = conversation.observed();
  const recordedResult = isRecord(expect["result"]) ? "error" : expect["result"];
  const recorded: Fields = {
    cancelled: expect["cancelled"] ?? [],
    errors: expect["errors"] ?? [],
    waits: expect["waits"] ?? {},
    result: recordedResult,
    streamStopped: expect["streamStopped"] ?? [],
    ...Object.fromEntries(stateMembers.map((member) => [member, state[member]])),
  };
  // A port may already have stopped where the file expects it to be stopping, and then reports that
  // everywhere.
  const endedEarly = lenient.includes("state") && recorded["state"] === "stopping";
  for (const [member, value] of Object.entries(recorded)) {
    if (lenient.includes(member) || isSame(plain(value), plain(got[member]))) continue;
    if (endedEarly && member === "isStopped" && value === false) continue;
    return { expected: { [member]: value }, got: { [member]: got[member] } };
  }
  const notifications = isRecord(expect["notifications"]) ? expect["notifications"] : {};
  for (const [name, calls] of conversation.takeNotifications()) {
    const wanted = notifications[name] ?? [];
    if (lenient.includes("notifications")) continue;
    if (isRecordedOrder(asList(plain(wanted)), asList(plain(calls)))) continue;
    return { expected: { notifications: { [name]: wanted } }, got: calls };
  }
  return undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Removes the count of transformations from digests, which may be any number above 0. */
function withoutCounts(value: unknown): unknown {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value).replaceAll(/~[1-9][0-9]*/g, "~"));
}

async function run(caseData: CaseData): Promise<readonly Failure[]> {
  const options = isRecord(caseData["options"]) ? caseData["options"] : {};
  const lenient = asList(caseData["lenient"]);
  const conversation = new Conversation(options);
  const state: Record<string, unknown> = {
    store: {},
    lastSyncRV: "",
    storeRV: "",
    synced: false,
    handlerSynced: {},
    indexes: Object.fromEntries(asList(options["indexers"]).map((name) => [name, {}])),
    pending: "none",
    state: "created",
    isStopped: false,
  };
  for (const [index, step] of list(caseData, "script").entries()) {
    if (!isRecord(step) || !isRecord(step["expect"])) throw new TypeError("Couldn't read a step");
    await conversation.perform(step);
    const { expect } = step;
    Object.assign(state, expect);
    const difference = differences(expect, state, conversation, lenient);
    if (difference !== undefined) return [{ step: index, op: text(step, "do"), ...difference }];
  }
  return [];
}

export const unit: Unit = { name: "shared-informer", run };
