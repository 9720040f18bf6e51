// A colleague in the demo account, with a browser of their own.
import type { BrowserContextOptions, Page } from "playwright-core";
import { vi } from "vitest";
import type { Stage } from "./harness.ts";

export type SignedIn = { readonly id: string; readonly page: Page };

/** Creates a colleague and signs them in, with a password of their own. */
export async function signInColleague(
  stage: Stage,
  name: string,
  options: BrowserContextOptions = {},
): Promise<SignedIn> {
  const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
  const { id } = await stage.api("POST", "/account_users", {
    user_attributes: { name, time_zone: "UTC", emails_attributes: [{ email }] },
  });
  const mail = await vi.waitFor(
    () => {
      const found = stage.mailsTo(email).find(({ subject }) => subject.startsWith("Your access"));
      if (!found) throw new Error(`no mail to ${email}`);
      return found;
    },
    { timeout: 120_000, interval: 200 },
  );
  const sent = /Password:?\s+(\S+)/.exec(mail.text)?.[1] ?? "";
  const page = await stage.signIn(email, options, sent);
  await page.getByLabel("New password").fill("another lamp again");
  await page.getByLabel("Repeat password").fill("another lamp again");
  await page.getByRole("button", { name: "Save password" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return { id, page };
}
