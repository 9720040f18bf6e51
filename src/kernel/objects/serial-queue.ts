// Runs an object's steps one at a time, in the order in which they were asked for: what a step has
// read must not be outdated when it commits, although other calls run while it waits.
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a step once all before it have ended. One that fails does not end those after it. */
  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
