// The ids of messages and calls as notifications store them: with the name of the provider, since a
// channel may have several. Pure.

/** The providers whose ids have no name before them. */
const UNMARKED: Readonly<Record<string, string>> = {
  sms: "twilio",
  voice: "twilio",
  email: "resend",
};

/** A provider's id as it is stored. */
export const markedId = (provider: string, id: string): string =>
  Object.values(UNMARKED).includes(provider) ? id : `${provider}:${id}`;

/** The id by which the provider knows it. */
export const unmarkedId = (storedId: string): string => storedId.replace(/^[a-z]{3,20}:/, "");

/** The provider of a stored id; null if there is none. */
export function providerOf(channel: string, storedId: string | null): string | null {
  if (storedId === null) return null;
  const [, name] = /^([a-z]{3,20}):/.exec(storedId) ?? [];
  return name ?? UNMARKED[channel] ?? null;
}
