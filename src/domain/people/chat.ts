// Chat products in which people act: their accounts there, which they link to their membership.

/** The products whose apps people use. */
export const CHAT_PRODUCTS = ["slack", "mattermost", "discord", "google_chat", "teams"] as const;
export type ChatProduct = (typeof CHAT_PRODUCTS)[number];

/** The products' names. */
export const CHAT_TITLES: Readonly<Record<ChatProduct, string>> = {
  slack: "Slack",
  mattermost: "Mattermost",
  discord: "Discord",
  google_chat: "Google Chat",
  teams: "Microsoft Teams",
};

/** A person as the product names them. Their name proves nothing. */
export type ChatPerson = {
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
};
