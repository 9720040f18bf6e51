// Verifies that a message is from AWS SNS: it is signed with a key whose certificate only AWS's own
// hosts serve. No URL in a message is trusted until its host is verified: a bucket can be named
// `sns.x.s3.amazonaws.com`.
import { createVerify, X509Certificate } from "node:crypto";
import { type Payload, textAt } from "../../../products/reading/payload.ts";

const HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;
const TIMEOUT_MS = 10_000;
const MAX_CERTIFICATE = 65_536;
const MAX_CACHED = 20;

/** Certificates by URL, for the lifetime of the isolate. */
const certificates = new Map<string, string>();

const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  confirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

/** The URL if it is an https URL of SNS itself; else null. */
export function snsAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, href } = new URL(text);
  const isPlain = port === "" && username === "" && password === "";
  return protocol === "https:" && isPlain && HOST.test(hostname) ? href : null;
}

/** Why a message is not verified, else null. `unreachable`: the certificate cannot be fetched. */
export async function snsFault(
  envelope: Payload,
  now: number,
): Promise<{ readonly message: string; readonly unreachable?: boolean } | null> {
  const certificateUrl = textAt(envelope, "SigningCertURL") ?? textAt(envelope, "SigningCertUrl");
  const address = snsAddress(certificateUrl);
  if (address === null || !new URL(address).pathname.endsWith(".pem")) {
    return { message: "the certificate of the SNS message is not AWS's" };
  }
  const pem = await fetchCertificate(address);
  if (pem === null) {
    return { message: "the certificate of the SNS message cannot be read", unreachable: true };
  }
  return isSigned(envelope, pem, now)
    ? null
    : { message: "the signature of the SNS message is wrong" };
}

async function fetchCertificate(address: string): Promise<string | null> {
  const cached = certificates.get(address);
  if (cached !== undefined) return cached;
  try {
    const response = await fetchSns(address);
    const pem = await response.text();
    if (!response.ok || pem.length > MAX_CERTIFICATE) return null;
    if (certificates.size >= MAX_CACHED) certificates.clear();
    certificates.set(address, pem);
    return pem;
  } catch {
    return null;
  }
}

/** Fetches a URL of SNS. Does not follow redirects. */
export function fetchSns(address: string): Promise<Response> {
  return fetch(address, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
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

/** The text that SNS signs: names and values, each on its own line. Values are not trimmed. */
function signedText(envelope: Payload): string {
  const names = envelope.Type === "Notification" ? SIGNED.Notification : SIGNED.confirmation;
  return names
    .filter((name) => typeof envelope[name] === "string")
    .map((name) => `${name}\n${envelope[name]}\n`)
    .join("");
}
