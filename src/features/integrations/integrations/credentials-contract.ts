// Credentials of an integration, shown once.
import * as z from "zod";
import { choice, instant, text } from "../../../kernel/contract/fields.ts";

export const RotatedCredential = z.object({
  what: choice(["token", "intake_key", "url"], "The credential to rotate."),
  value: text(
    "The new credential; of a `url` the whole URL.",
    "tok_4be1a0c93f7d5582ab60e91c7d34f0a6b2c1d8e7",
  ),
  previous_valid_until: instant(
    "Until when the previous credential is accepted; null if it is not.",
  ).nullable(),
});
export type RotatedCredential = z.output<typeof RotatedCredential>;

export const SigningSecret = z.object({
  secret: text(
    "The signing secret of requests (Standard Webhooks).",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ),
});
export type SigningSecret = z.output<typeof SigningSecret>;
