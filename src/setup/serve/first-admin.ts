// The first account of a server and its admin, whose password is for one sign-in.
import { insert, isEmpty } from "../local-database.ts";
import { newPassword } from "../secrets.ts";
import { log } from "./log.ts";
import type { ServerSettings } from "./settings.ts";

export type PrepareInput = Pick<ServerSettings, "first" | "publicUrl"> & {
  readonly state: string;
  /** The address of the primary of a standby; null: it is none. */
  readonly standbyOf: string | null;
};

/** Creates them in an empty database, and logs how the admin signs in, this once. Nothing runs on the state yet. */
export async function createFirstAdmin(input: PrepareInput): Promise<void> {
  const { state, first, publicUrl, standbyOf } = input;
  if (standbyOf !== null) return log("info", `this is a standby of ${standbyOf}`);
  if (!isEmpty(state)) return;
  if (first === null) {
    const hint = "set ACCOUNT_NAME and ADMIN_EMAIL and start again, or restore a backup";
    return log("warn", `there is no account: ${hint}`);
  }
  // Loading Drizzle takes a second; later starts do not need it.
  const { buildFirstAccount } = await import("../first-account.ts");
  const { hashPassword } = await import("../../features/access/sessions/passwords.ts");
  const password = newPassword();
  const { account, email } = first;
  const person = email.split("@")[0] ?? email;
  const passwordHash = await hashPassword(password, 1);
  const names = { account, person, email };
  insert(
    state,
    buildFirstAccount({ ...names, passwordHash, hasKey: false }, Date.now()).statements,
  );
  log("info", "the first admin signs in by this password, once, within seven days", {
    ...{ url: `${publicUrl}/sign-in`, email, password },
  });
}
