// Links a person's account in Slack as they do: by the link that their first button shows.
import { signIn } from "../../worker/console.ts";
import { commanded, fromSlack, type SlackIntegration } from "./slack.ts";

/** The path of the link in a text. */
export function linkIn(text: string): string {
  const path = /https?:\/\/[^/\s]+(\/chat\/link\/[\w.-]+)/.exec(text)?.[1];
  if (path === undefined) throw new Error(`no link in: ${text}`);
  return path;
}

/** Links a Slack user to a member of the integration's account. */
export async function linkSlackUser(
  integration: SlackIntegration,
  user: string,
  accountUserId: string,
): Promise<void> {
  const { body } = await fromSlack(integration, "commands", commanded("/oncall", "", user));
  const browser = await signIn(accountUserId);
  const shown = await browser.submit(linkIn(body.text));
  if (!shown.to.startsWith("/settings")) throw new Error(shown.text);
}
