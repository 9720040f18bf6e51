import { type Built, deleteState } from "../support/worker/dev-worker.ts";
import type { Provider } from "./provider.ts";

/** Stops the provider. What a run with faults (exit code 1) has stored stays, to be looked at. */
export function endRun(provider: Provider, built: Built): void {
  provider.stop();
  if (process.exitCode === 1) console.log(`what it left is in ${built.state}`);
  else deleteState(built);
}
