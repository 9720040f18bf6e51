// Leaving for the provider of single sign-on, and coming back.
import { statement } from "../../db/database.ts";
import { dropFirstPassword, findSigner } from "../../db/session-rows.ts";
import { isRefusal, refuse } from "../../domain/refusal.ts";
import { dropCookie, putCookie, readCookie } from "../cookies.ts";
import { type ConsolePage, type Guest, openPage, type Reply } from "../page.ts";
import { comeBack, type Errand, leaveFor, singleSignOnName } from "../single-sign-on.ts";
import { begin, signInPage } from "./sign-in.tsx";

const ERRAND_SECONDS = 600;

const NOBODY = refuse(
  "unauthenticated",
  "nobody here signs in with that address; if it is yours, it has to be verified in your settings first",
);
const NONE = refuse("not_found", "this deployment has no single sign-on");

const backOf = ({ env, url }: Guest) => `${env.PUBLIC_URL || url.origin}/sign-in/back`;

async function leave(guest: Guest): Promise<Reply> {
  if (singleSignOnName(guest.env) === null) return NONE;
  const left = await leaveFor(guest.env, backOf(guest), guest.query.get("to") ?? "");
  if (isRefusal(left)) return signInPage(guest, left);
  const value = Buffer.from(JSON.stringify(left.errand)).toString("base64url");
  putCookie(guest.context, "sign_in", value, ERRAND_SECONDS);
  return { kind: "leave", to: left.url };
}

function errandOf({ context }: Guest): Errand | null {
  const cookie = readCookie(context, "sign_in");
  if (cookie === null) return null;
  dropCookie(context, "sign_in");
  try {
    const errand = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Errand;
    return typeof errand?.state === "string" && errand.state !== "" ? errand : null;
  } catch {
    return null;
  }
}

async function arrive(guest: Guest): Promise<Reply> {
  if (singleSignOnName(guest.env) === null) return NONE;
  const errand = errandOf(guest);
  const email = await comeBack(guest.env, guest.url, backOf(guest), errand);
  if (isRefusal(email)) return signInPage(guest, email);
  const signer = await findSigner(guest.db, email);
  if (signer === null) return signInPage(guest, NOBODY);
  // Who signs in like this needs none: one that nobody has chosen is no way in any more.
  await statement(guest.db, dropFirstPassword(signer.userId)).run();
  return begin(guest, signer, email, errand?.to ?? "");
}

export const singleSignOnPages: readonly ConsolePage[] = [
  openPage("/sign-in/with", leave),
  openPage("/sign-in/back", arrive),
];
