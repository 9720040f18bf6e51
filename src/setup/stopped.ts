// When a command that has started a server is to end it: on a signal, or when npm, which started the command, is gone.
import { watchNpm } from "./processes/watch-npm.ts";

const PARENT_CHECK_MS = 500;

/** Aborted by a signal that asks to end, or because npm was killed and passed none on. */
export function untilStopped(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const isNpmGone = watchNpm();
  setInterval(() => isNpmGone() && stop(), PARENT_CHECK_MS).unref();
  return controller.signal;
}

/** The exit code of a command that was interrupted. */
const INTERRUPTED = 130;

/** Exits when the command is to end, so that what is registered for `exit` is run; a signal alone would skip it. */
export function exitWhenStopped(): void {
  untilStopped().addEventListener("abort", () => process.exit(INTERRUPTED));
}
