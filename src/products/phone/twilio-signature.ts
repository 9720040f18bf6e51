// Verifies Twilio's request signature: HMAC-SHA1, keyed with the account's token, over the URL and
// the sorted form fields.
import { createHmac, timingSafeEqual } from "node:crypto";

/** Computes the base64 signature of a form posted to a URL. */
export function twilioSignature(token: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  const fields = names.map((name) => {
    const values = [...new Set(form.getAll(name))].sort();
    return values.map((value) => name + value).join("");
  });
  return createHmac("sha1", token)
    .update(url + fields.join(""), "utf8")
    .digest("base64");
}

/** Compares in constant time. False for a malformed signature. */
export function isSignedByTwilio(
  token: string,
  url: string,
  form: URLSearchParams,
  signature: string,
): boolean {
  const expected = Buffer.from(twilioSignature(token, url, form));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
