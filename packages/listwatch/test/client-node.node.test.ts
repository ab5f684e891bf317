import * as clientNode from "@listwatch/client-node";
import * as subPath from "listwatch/client-node";
import { expect, test } from "vitest";

test("the sub-path client-node re-exports its package", () => {
  const names = Object.keys(clientNode);
  expect(names).toContain("makeInformer");
  expect(Object.keys(subPath)).toEqual(names);
  for (const name of names) expect(Reflect.get(subPath, name)).toBe(Reflect.get(clientNode, name));
});
