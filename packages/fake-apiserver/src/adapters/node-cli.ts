#!/usr/bin/env node
import { runCommand } from "./node-command.ts";

await runCommand("fake-apiserver", process.argv.slice(2));
