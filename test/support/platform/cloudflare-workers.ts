// The module `cloudflare:workers` in Node.
export { env, exports } from "./platform.ts";

/** The base class of objects. */
export class DurableObject {
  protected readonly ctx: unknown;
  protected readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}
