// Whether a deployment can send SMS and make calls. Pure: its settings are passed in.

type Setting = string | undefined;

export type PhoneSettings = {
  readonly TWILIO_ACCOUNT_SID?: Setting;
  readonly TWILIO_AUTH_TOKEN?: Setting;
  readonly TWILIO_FROM?: Setting;
  readonly TWILIO_MESSAGING_SERVICE_SID?: Setting;
};

/** Whether Twilio is configured: account, token, and a number or messaging service. */
export function hasTwilio({
  TWILIO_ACCOUNT_SID,
  TWILIO_AUTH_TOKEN,
  TWILIO_FROM,
  TWILIO_MESSAGING_SERVICE_SID,
}: PhoneSettings): boolean {
  const sender = TWILIO_FROM || TWILIO_MESSAGING_SERVICE_SID;
  return Boolean(TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && sender);
}
