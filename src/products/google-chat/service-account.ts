// The access tokens of a Google Chat app, by the key of its service account
// (https://developers.google.com/identity/protocols/oauth2/service-account).
import { sign } from "hono/jwt";
import { parseJson, stringAt } from "../../domain/shared/json.ts";
import type { TokenSource } from "../outgoing/access-token.ts";

const TOKEN_URL = "https://oauth2.googleapis.com/token";
const SCOPE = "https://www.googleapis.com/auth/chat.bot";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** How long the assertion is valid (seconds). */
const LIFETIME = 3_600;

const UNUSABLE = "the option service_account is not the JSON key of a service account";

/** Where the tokens come from. `key`: the JSON file that Google makes. */
export const googleTokens = (key: string): TokenSource => ({
  title: "Google",
  credentials: [key],
  request: async (now) => {
    const account = parseJson(key);
    const [email, privateKey] = [
      stringAt(account, "client_email"),
      stringAt(account, "private_key"),
    ];
    if (email === "" || privateKey === "") return UNUSABLE;
    const iat = Math.floor(now / 1000);
    const claims = { iss: email, scope: SCOPE, aud: TOKEN_URL, iat, exp: iat + LIFETIME };
    try {
      const assertion = await sign(claims, privateKey, "RS256");
      return { url: TOKEN_URL, form: { grant_type: GRANT, assertion } };
    } catch {
      return UNUSABLE;
    }
  },
});
