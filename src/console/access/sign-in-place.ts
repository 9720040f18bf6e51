// Where a guest signs in, as the limits on attempts and the notices see it.
import { addressGroup } from "../../domain/access/address-group.ts";
import type { SignInContext } from "../../features/access/sessions/sign-in.ts";
import type { Guest } from "../page.ts";
import { knownBrowser } from "./known-browser.ts";

/** The client's address, as reported by Cloudflare. */
const addressOf = ({ context }: Guest): string | undefined =>
  context.req.header("cf-connecting-ip");

/** The network of the client's address. */
export const networkOfGuest = (guest: Guest): string => addressGroup(addressOf(guest));

/** A guest's request, as the verbs of signing in take it. */
export const signInContext = (guest: Guest): SignInContext => ({
  env: guest.env,
  db: guest.db,
  now: guest.now,
  place: {
    network: networkOfGuest(guest),
    address: addressOf(guest) ?? "here",
    userAgent: guest.context.req.header("user-agent") ?? "",
    knownBrowserOf: (userId) => knownBrowser(guest.context, userId, guest.now),
  },
});
