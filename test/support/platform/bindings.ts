// The smaller bindings in Node: files, rate limits, mail, a bucket.
import { readFileSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { takeTurn } from "./context.ts";

const realNow = Date.now;

const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Serves the files of a folder. */
export const openAssets = (folder: string) => ({
  fetch: async (input: string | Request | URL): Promise<Response> => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    await takeTurn();
    const file = join(folder, normalize(decodeURIComponent(pathname)));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return new Response(null, { status: 404 });
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    return new Response(new Uint8Array(readFileSync(file)), { headers: { "Content-Type": type } });
  },
});

/** A limit per key and period (seconds) of the real clock. */
export class RateLimit {
  readonly #limit: number;
  readonly #period: number;
  #window = -1;
  readonly #used = new Map<string, number>();

  constructor({ limit, period }: { readonly limit: number; readonly period: number }) {
    this.#limit = limit;
    this.#period = period;
  }

  async limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
    await takeTurn();
    const window = Math.floor(realNow() / 1_000 / this.#period);
    if (window !== this.#window) this.#used.clear();
    this.#window = window;
    const used = (this.#used.get(key) ?? 0) + 1;
    this.#used.set(key, used);
    return { success: used <= this.#limit };
  }

  reset(): void {
    this.#used.clear();
  }
}

/** Takes mail, and does nothing about it. */
export const mail = {
  send: async (): Promise<{ messageId: string }> => {
    await takeTurn();
    return { messageId: "unsent" };
  },
};

/** A bucket in memory. */
export class Bucket {
  readonly #objects = new Map<string, Uint8Array>();

  async put(key: string, value: string | ArrayBuffer | Uint8Array | ReadableStream) {
    const bytes = new Uint8Array(await new Response(value as BodyInit).arrayBuffer());
    await takeTurn();
    this.#objects.set(key, bytes);
    return { key, size: bytes.length };
  }

  async get(key: string) {
    await takeTurn();
    const bytes = this.#objects.get(key);
    if (bytes === undefined) return null;
    const { body } = new Response(bytes.slice());
    const read = () => new Response(body);
    return {
      ...{ key, size: bytes.length, body },
      ...{
        text: () => read().text(),
        arrayBuffer: () => read().arrayBuffer(),
        json: () => read().json(),
      },
    };
  }

  async delete(keys: string | readonly string[]): Promise<void> {
    await takeTurn();
    for (const key of [keys].flat()) this.#objects.delete(key);
  }

  async list({ prefix = "" }: { readonly prefix?: string } = {}) {
    await takeTurn();
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const objects = keys.map((key) => ({ key, size: this.#objects.get(key)?.length ?? 0 }));
    return { objects, truncated: false, delimitedPrefixes: [] };
  }

  reset(): void {
    this.#objects.clear();
  }
}
