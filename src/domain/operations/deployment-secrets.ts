// The secrets of a deployment that one restored from its backup needs too: those of its providers, and
// those by which links and subscriptions that are out still work.

export const DEPLOYMENT_SECRETS = [
  "LINK_SECRET",
  "VAPID_PRIVATE_KEY",
  "RESEND_API_KEY",
  "RESEND_WEBHOOK_SECRET",
  "MAILGUN_API_KEY",
  "MAILGUN_SIGNING_KEY",
  "TWILIO_AUTH_TOKEN",
  "VONAGE_API_SECRET",
  "VONAGE_SIGNATURE_SECRET",
  "VONAGE_PRIVATE_KEY",
  "TELNYX_API_KEY",
  "METRICS_TOKEN",
  "HEARTBEAT_URL",
  "PUSHOVER_TOKEN",
  "TELEGRAM_BOT_TOKEN",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
] as const;
