// Plain JavaScript against the installed package: no test runner, no types.
import { isNotFound, StatusError } from "@listwatch/client";

if (!isNotFound(new StatusError({ reason: "NotFound", code: 404 }))) throw new Error("smoke");
console.log("ok");
