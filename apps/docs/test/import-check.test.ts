import * as all from "listwatch";
import { expect, test } from "vitest";
import { failedImport } from "../src/components/live/import-check.ts";
import { readLayers } from "../src/integrations/package-layers.ts";

const check = (code: string) => failedImport(code, { listwatch: all }, readLayers());

test("a name that does not exist is found with its line and the nearest name", () => {
  expect(check('// One.\nimport { foo } from "listwatch";')).toBe(
    'Couldn\'t import "foo" from "listwatch" at line 2: it has no such export',
  );
  expect(check('import {\n  RealFIFO,\n  SharedInfomer as One,\n} from "listwatch";')).toBe(
    'Couldn\'t import "SharedInfomer" from "listwatch" at line 3: it has no such export; ' +
      'did you mean "SharedInformer"?',
  );
});

test("a type needs the word, as on Node", () => {
  expect(check('import { Connection } from "listwatch";')).toBe(
    'Couldn\'t import "Connection" from "listwatch" at line 1: it is a type, write "type Connection"',
  );
  expect(check('import { type Connection, RealFIFO } from "listwatch";')).toBeUndefined();
  expect(check('import type { Connection } from "listwatch";')).toBeUndefined();
});

test("comments among the names, other modules and strings do not matter", () => {
  expect(check('import { /* foo, */ RealFIFO, // bar\n } from "listwatch";')).toBeUndefined();
  expect(check('import { foo } from "./other.ts";')).toBeUndefined();
  expect(check("const text = 'import { foo } from \"listwatch\"';")).toBeUndefined();
});
