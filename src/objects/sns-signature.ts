// Whether a message is really from AWS SNS: its signature, made with a key whose certificate only AWS's own hosts
// serve. Every address in a message is suspect until its host is known to be one of those: a bucket can be called
// `sns.x.s3.amazonaws.com`.
import { createVerify, X509Certificate } from "node:crypto";
import { type Payload, textAt } from "../integrations/payload.ts";

const HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;
const PATIENCE_MS = 10_000;
const MAX_CERTIFICATE = 65_536;
const MOST_KEPT = 20;

/** Certificates by address, as long as this isolate lives. */
const certificates = new Map<string, string>();

const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  confirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

/** The address, if it is one of SNS itself over https; else null. */
export function snsAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, href } = new URL(text);
  const isPlain = port === "" && username === "" && password === "";
  return protocol === "https:" && isPlain && HOST.test(hostname) ? href : null;
}

/** Why a message is not taken for one of AWS SNS, else null. `unreachable`: nobody can tell now. */
export async function snsFault(
  envelope: Payload,
  now: number,
): Promise<{ readonly message: string; readonly unreachable?: boolean } | null> {
  const written = textAt(envelope, "SigningCertURL") ?? textAt(envelope, "SigningCertUrl");
  const address = snsAddress(written);
  if (address === null || !new URL(address).pathname.endsWith(".pem")) {
    return { message: "the certificate of the SNS message is not AWS's" };
  }
  const pem = await certificateAt(address);
  if (pem === null) {
    return { message: "the certificate of the SNS message cannot be read", unreachable: true };
  }
  return isSigned(envelope, pem, now)
    ? null
    : { message: "the signature of the SNS message is wrong" };
}

async function certificateAt(address: string): Promise<string | null> {
  const kept = certificates.get(address);
  if (kept !== undefined) return kept;
  try {
    const response = await fetchSns(address);
    const pem = await response.text();
    if (!response.ok || pem.length > MAX_CERTIFICATE) return null;
    if (certificates.size >= MOST_KEPT) certificates.clear();
    certificates.set(address, pem);
    return pem;
  } catch {
    return null;
  }
}

/** Fetches one of SNS's own addresses; where that sends elsewhere is not followed. */
export function fetchSns(address: string): Promise<Response> {
  return fetch(address, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
}

function isSigned(envelope: Payload, pem: string, now: number): boolean {
  const version = textAt(envelope, "SignatureVersion");
  const digest = version === "2" ? "RSA-SHA256" : version === "1" ? "RSA-SHA1" : null;
  if (digest === null) return false;
  try {
    const certificate = new X509Certificate(pem);
    if (Date.parse(certificate.validFrom) > now || Date.parse(certificate.validTo) < now)
      return false;
    const verify = createVerify(digest).update(signedText(envelope));
    return verify.verify(certificate.publicKey, textAt(envelope, "Signature") ?? "", "base64");
  } catch {
    return false;
  }
}

/** What SNS signs: the names and values, each on a line of its own. Values as they are, not trimmed. */
function signedText(envelope: Payload): string {
  const names = envelope.Type === "Notification" ? SIGNED.Notification : SIGNED.confirmation;
  return names
    .filter((name) => typeof envelope[name] === "string")
    .map((name) => `${name}\n${envelope[name]}\n`)
    .join("");
}
