// A binary heap: values by priority, the lowest first.

export class Heap<Value> {
  readonly #entries: { readonly priority: number; readonly value: Value }[] = [];

  /** The lowest priority; null if it is empty. */
  get lowest(): number | null {
    return this.#entries[0]?.priority ?? null;
  }

  /** The value with the lowest priority; null if it is empty. */
  get first(): Value | null {
    return this.#entries[0]?.value ?? null;
  }

  push(priority: number, value: Value): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push({ priority, value });
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes and returns the value with the lowest priority; null if it is empty. */
  pop(): Value | null {
    const entries = this.#entries;
    if (entries.length === 0) return null;
    this.#swap(0, entries.length - 1);
    const value = entries.pop()?.value ?? null;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let lowest = at;
      if (this.#isBefore(left, lowest)) lowest = left;
      if (this.#isBefore(right, lowest)) lowest = right;
      if (lowest === at) return value;
      this.#swap(at, lowest);
      at = lowest;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#entries[one], this.#entries[other]];
    return a !== undefined && b !== undefined && a.priority < b.priority;
  }

  #swap(one: number, other: number): void {
    const entries = this.#entries;
    const [a, b] = [entries[one], entries[other]];
    if (a === undefined || b === undefined) return;
    entries[one] = b;
    entries[other] = a;
  }
}
