// Base of all objects whose storage a backup has.
import { DurableObject } from "cloudflare:workers";
import { type ObjectState, readState, writeState } from "./object-state.ts";

/** RPC methods of the objects whose storage is backed up. */
export type BackedUpStub = {
  readState(): Promise<ObjectState | null>;
  writeState(state: ObjectState): Promise<void>;
  restart(): Promise<void>;
};

export abstract class BackedUpObject extends DurableObject<Cloudflare.Env> implements BackedUpStub {
  /** What it stores; null if nothing. */
  async readState(): Promise<ObjectState | null> {
    return readState(this.ctx.storage);
  }

  /** Replaces what it stores by the state of a backup. To be followed by `restart`. */
  async writeState(state: ObjectState): Promise<void> {
    await writeState(this.ctx.storage, state, Date.now());
  }

  /** Ends the object: the next call, or its alarm, reads what is stored. The call itself fails. */
  async restart(): Promise<void> {
    this.ctx.abort("restored from a backup");
  }
}
