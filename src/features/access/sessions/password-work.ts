// Where the hash of a password is derived. That takes some ten to some hundred milliseconds of CPU time, of which a request
// has 10 on Cloudflare's free plan; there, an object derives it, which has 30 seconds.
import { isOnFreePlan } from "../../../domain/shared/daily-limits.ts";
import { accessMailObject } from "../../stubs.ts";
import { type DerivePassword, derivePassword } from "./passwords.ts";

/** An object that stores nothing, and has no mail. */
const NAME = "passwords";

/** How this deployment derives hashes. */
export function passwordWork(env: Cloudflare.Env): DerivePassword {
  if (!isOnFreePlan(env)) return derivePassword;
  return async (password, salt, cost) => {
    const object = accessMailObject(env, NAME);
    const hash = await object.derivePassword(password, salt.toString("base64url"), cost);
    return Buffer.from(hash, "base64url");
  };
}
