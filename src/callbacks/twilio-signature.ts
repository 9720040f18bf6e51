// Whether a request is Twilio's: HMAC-SHA1, by the account's token, of the address it was sent to and the form's
// fields in their order.
import { createHmac, timingSafeEqual } from "node:crypto";

/** The signature of a form sent to an address, in base64. */
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

/** Compares in constant time; false for anything that is no signature. */
export function isSignedByTwilio(
  token: string,
  url: string,
  form: URLSearchParams,
  signature: string,
): boolean {
  const expected = Buffer.from(twilioSignature(token, url, form));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
