// The secrets a deployment may have, which wrangler.toml does not name: each may be missing, and what needs it is
// then not there.
declare namespace Cloudflare {
  interface Env {
    /** Signs the links in messages; without it messages have none, and the links' addresses answer 404. */
    readonly LINK_SECRET?: string;
    /** Sends e-mail by Resend instead of the `EMAIL` binding. */
    readonly RESEND_API_KEY?: string;
    /** Verifies Resend's delivery reports; without it their address answers 404. */
    readonly RESEND_WEBHOOK_SECRET?: string;
    /** Sends e-mail by Mailgun; the signing key verifies its delivery reports. */
    readonly MAILGUN_API_KEY?: string;
    readonly MAILGUN_SIGNING_KEY?: string;
    /** Sends e-mail by the SMTP server of a machine of one's own: `npm run serve` binds it. */
    readonly SMTP?: Fetcher;
    /** Signs Web Push (32 bytes, base64url); `npm run setup` makes it. With another, browsers subscribe anew. */
    readonly VAPID_PRIVATE_KEY?: string;
    /** Sends by Twilio, and verifies what Twilio calls back; without it those addresses answer 404. */
    readonly TWILIO_AUTH_TOKEN?: string;
    /** Sends SMS by Vonage, and verifies what Vonage calls back; the private key (PEM) authorizes calls. */
    readonly VONAGE_API_SECRET?: string;
    readonly VONAGE_SIGNATURE_SECRET?: string;
    readonly VONAGE_PRIVATE_KEY?: string;
    /** Sends by Telnyx. */
    readonly TELNYX_API_KEY?: string;
    /** Who has it may read `/metrics`; without it that address answers 404. */
    readonly METRICS_TOKEN?: string;
    /** Encrypts backups and authorizes reading and restoring them; without it there are none. */
    readonly BACKUP_KEY?: string;
    /** Called every minute while every invariant holds. */
    readonly HEARTBEAT_URL?: string;
    /** The application token of Pushover; without it the channel is not there. */
    readonly PUSHOVER_TOKEN?: string;
    /** The token of a Telegram bot; without it the channel and its callback are not there. */
    readonly TELEGRAM_BOT_TOKEN?: string;
    /** The provider of single sign-on (OpenID Connect), and who we are to it; without them there are passwords only. */
    readonly OIDC_ISSUER?: string;
    readonly OIDC_CLIENT_ID?: string;
    readonly OIDC_CLIENT_SECRET?: string;
    /** What the provider is called on the button. */
    readonly OIDC_NAME?: string;
  }
}
