// Which object or request runs: what belongs to an evicted object, or to a file of tests that has ended, gets no answer any
// more, as in the runtime, which ends its I/O.
import { AsyncLocalStorage } from "node:async_hooks";

/** A context of the platform: a request, a queue batch, an object in memory. */
export type Context = { ended: boolean };

const contexts = new AsyncLocalStorage<Context>();
const alive = new Set<Context>();

// Of the real clock, whatever the tests do to it.
const { setImmediate: nextTurn, setTimeout: setTimer } = globalThis;

/** Runs work in a context of its own; `end` ends it. */
export function beginContext(): Context {
  const context = { ended: false };
  alive.add(context);
  return context;
}

export const runIn = <Result>(context: Context, work: () => Result): Result =>
  contexts.run(context, work);

export function endContext(context: Context): void {
  context.ended = true;
  alive.delete(context);
}

/** Ends everything that is under way. */
export function endAll(): void {
  for (const context of [...alive]) endContext(context);
}

const never = new Promise<never>(() => {});

/** A turn of the event loop, as every call of the platform takes; never returns to what has ended. */
export async function takeTurn(): Promise<void> {
  const context = contexts.getStore();
  await new Promise<void>((done) => nextTurn(done));
  if (context?.ended) await never;
}

/** Waits by the real clock (ms); never returns to what has ended. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  const context = contexts.getStore();
  signal?.throwIfAborted();
  await new Promise<void>((done, fail) => {
    const timer = setTimer(done, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });
  if (context?.ended) await never;
}
