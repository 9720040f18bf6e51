// Generates the credentials of integrations.
import { randomHexOf } from "../../../domain/shared/identifiers.ts";

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** Generates a token for an integration's senders. */
export const newToken = () => `tok_${randomHex(20)}`;

/** 32 hexadecimal digits: the id's random bits, which address the inbox, and 48 secret bits. */
export const newIntakeKey = (id: string) => randomHexOf({ form: "id", value: id }) + randomHex(6);
