// One JSON value in an object's storage, of any size: the platform limits a stored value to 2 MB. It
// carries the version of its format.
import { assertReadable, withVersion } from "./stored-version.ts";

/** Length of a slice in UTF-16 units, of two bytes each. */
const SLICE_LENGTH = 900_000;

export class SlicedValue<Value extends object> {
  readonly #kv: SyncKvStorage;
  readonly #key: string;
  readonly #version: number;
  #slices: number;

  /** @param version of the format of `Value` that this code writes, and the newest that it reads */
  constructor(kv: SyncKvStorage, key: string, version: number) {
    this.#kv = kv;
    this.#key = key;
    this.#version = version;
    this.#slices = 0;
  }

  #keyOf(slice: number): string {
    return slice === 0 ? this.#key : `${this.#key}:${slice}`;
  }

  /** The stored value; null if there is none. Throws if its format is newer than this code. */
  get(): Value | null {
    let text = "";
    this.#slices = 0;
    for (;;) {
      const slice = this.#kv.get<string>(this.#keyOf(this.#slices));
      if (slice === undefined) break;
      text += slice;
      this.#slices += 1;
      if (slice.length < SLICE_LENGTH) break;
    }
    if (text === "") return null;
    return assertReadable(JSON.parse(text) as Value, this.#version, this.#key);
  }

  /** Stores the value; one row unless it is very long. */
  put(value: Value): void {
    const text = JSON.stringify(withVersion(value, this.#version));
    // A full last slice is followed by an empty one, which says that nothing follows.
    const count = Math.floor(text.length / SLICE_LENGTH) + 1;
    for (let i = 0; i < count; i += 1) {
      this.#kv.put(this.#keyOf(i), text.slice(i * SLICE_LENGTH, (i + 1) * SLICE_LENGTH));
    }
    for (let i = count; i < this.#slices; i += 1) this.#kv.delete(this.#keyOf(i));
    this.#slices = count;
  }
}
