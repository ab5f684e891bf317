/** Expected next part. In `item` and `member`, after a comma, it must not be missing. */
export type ListState =
  | "start"
  | "first-member"
  | "member"
  | "member-end"
  | "first-item"
  | "item"
  | "item-end"
  | "end";

/** Expected part, for errors, and the state after each character that may begin it. */
type Expectation = readonly [expected: string, next: Readonly<Record<string, ListState>>];

const member = "a member of the list";
const item = "an object in items";

/**
 * The text of a list between its members and items. A `"` begins a member, and `item-end` follows
 * the item that begins with a `{`.
 */
export const listGrammar: Readonly<Record<ListState, Expectation>> = {
  start: ["a list as JSON", { "{": "first-member" }],
  "first-member": [member, { '"': "member-end", "}": "end" }],
  member: [member, { '"': "member-end" }],
  "member-end": ["a comma or the end of the list", { ",": "member", "}": "end" }],
  "first-item": [item, { "{": "item-end", "]": "member-end" }],
  item: [item, { "{": "item-end" }],
  "item-end": ["a comma or the end of the items", { ",": "item", "]": "member-end" }],
  end: ["the end of the list", {}],
};
