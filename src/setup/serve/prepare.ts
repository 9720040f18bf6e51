// What precedes the runtime: it builds, migrates and creates what is missing. In a process of its own, since what it loads takes
// three times the memory of the server.
import { migrate } from "../local-database.ts";
import { storedSecrets } from "../secrets.ts";
import { buildIfOld } from "./build.ts";
import { createFirstAdmin, type PrepareInput } from "./first-admin.ts";
import { lockState, RUNTIME_ENDING_MS, RUNTIME_LOCK } from "./lock.ts";
import { log } from "./log.ts";

/** @returns the secrets of the state */
async function prepare(input: PrepareInput): Promise<Readonly<Record<string, string>>> {
  const { state } = input;
  if (!lockState(state, RUNTIME_LOCK, RUNTIME_ENDING_MS)) {
    throw new Error(`a runtime that was left over still uses ${state}`);
  }
  if (await buildIfOld()) log("info", "built the worker and the assets");
  const migrations = await migrate(state);
  if (migrations.length > 0) log("info", "applied migrations", { migrations });
  const secrets = await storedSecrets(state);
  await createFirstAdmin(input);
  return secrets;
}

process.once("message", (input: PrepareInput) => {
  prepare(input).then(
    (secrets) => process.send?.(secrets, () => process.exit(0)),
    (error: Error) => {
      log("error", error.message);
      process.exit(1);
    },
  );
});
