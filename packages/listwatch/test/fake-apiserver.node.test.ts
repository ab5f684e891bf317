import * as bun from "@listwatch/fake-apiserver/bun";
import * as deno from "@listwatch/fake-apiserver/deno";
import * as node from "@listwatch/fake-apiserver/node";
import * as ownBun from "listwatch/fake-apiserver/bun";
import * as ownDeno from "listwatch/fake-apiserver/deno";
import * as ownNode from "listwatch/fake-apiserver/node";
import { expect, test } from "vitest";

test("the sub-path of the fake API server has the listeners of each runtime", () => {
  expect({ ...ownNode }).toEqual({ ...node });
  expect({ ...ownDeno }).toEqual({ ...deno });
  expect({ ...ownBun }).toEqual({ ...bun });
});
