// The key with which the stand-ins of Google Chat and Teams sign their requests: the same in every test, since
// the worker keeps the makers' keys. It signs nothing outside of tests.
import { sign } from "hono/jwt";
import { serveAt } from "../outbound.ts";

const PRIVATE: JsonWebKey = {
  kty: "RSA",
  n: [
    "uSF2vNpQmauJyKDXKgKPER-DE4PnUENs-5Of9bNqsz7lHNMZGlCvLmznoeb9UiknbqCn_Ydscefsxlv-eU3fav",
    "xaXYmYuqOPYgiGpijKkROtATiKZ8JrvuSAz6IIpDvYzAN0MOGFvATMl7uVyhD_J40kZY3oxH1P5mzpAdTeEQZd",
    "FLeNFEvSaKUW7k2xtD9VE_cCZ05XxxL5RzWt6X8d0w3CVn9fYCXJNnt1gFqA_aT4RjYZ6yTqa1iSq38F9BES_c",
    "gqxxyduw1WxAoROQ_1MGX2fkaQTqaIuM182b-mB_9sKSp-mFaARG3O93-HBue7I80_XG4JN6kzZRCWOkX5fw",
  ].join(""),
  e: "AQAB",
  d: [
    "U_CTWM-X6gU4JOqghGDCo53pHakZ8W-Q84Sc65edEoa69VXVtPPOajtgzyzfwSf9xBA9-xszFXZ2Cf5eJHwlh-",
    "nBw1WHFWDhuy5oduBZ8Gu-bqZHQwKJPfV3Xi12w5iLFP2f6iXnMDfw1_9qzELmnfVGAnHUj3rOBoltILJ2ubqm",
    "PvkMEDEouS_nNF3V4sL-X09jgMQ55pj-REg-a5Weay_pfEl5kk3Etfe8LiApsGEib_kMnOiZ8CLVgmfohcN838",
    "qRui_LJgfawbXycK2t9JPEcoau5IDVn1Pas8Ko9WCubUiyzLsjcd-VrVS-02ZCTxeyP7vxKSlzUG75-xYcgQ",
  ].join(""),
  p: [
    "5RownIdo8ZP_XQkUEIGxy5RtKNMFjz4jXfAUX5pP7-YZXeay8Vy0PO5LCpTdiPy2p-T3QF0CbiulgYgWG_75tu",
    "6UWjDvo2lgLReoABLNRrJ1LYFzHs1OF9-XwM0tHOakNHcM2wc8G9s0vYeNPof_LOSxlnSbaBltxSX8RdADN0E",
  ].join(""),
  q: [
    "zt2uU_M_90mVmpF8OQsfS8-Xv3B_y0sUdIAxup7tEQX6mRuykXVMfnT3jC8sthwup1liX69uNs3cSPZtJzbQ_D",
    "9iHe1bV4CYOtANbiCvd_bbYoHt59VG4crESiay-Wco2tvhjlOiY9EEsRPHEW9U2dd3qIgJnvahq-XKBZmvwL8",
  ].join(""),
  dp: [
    "oXoEKU-HuD4IDxsG-VtwZX0IM24IzR2O7_b3ZSrujLgxyO2B0nz0zL1oRt0GCDeWxl-rpcHopJ4-2T2B19mvSD",
    "CAf9FeFl9_WkkCMIsQBHRkAt7qtRsfn9QIsevrkCNAOXpvpTFEPJ4UXkHcW-afBJVsVg96ObUymXJcjRhALAE",
  ].join(""),
  dq: [
    "zZZq5mvdqnmrAM6N0nNHSySo_01i9DtNvOqagYnouP5kKz3nncAhoZvFWcCYgvRHOXIP3mCO_FBjGPAvUsWbtN",
    "WZQXzfRns6z1htwIEjYeon5iKSudCwfT3zDm6feFYZuEjGRZjAzsqwCvxI3v7yKP2GoitwxFcAHcJloGM41Ck",
  ].join(""),
  qi: [
    "uSZRFUGTHufH6AHnAssShVTkaGygwxmZwn4mvhYy4z48xJKD-tthjAEU7s0FG2WsiQU7djt8MH25cn6AGOtrev",
    "8KgpZhYEESeTndrMyOfEZkwGcXvEo7wMhMeN_LrFO8f2ndwkG982uB3gloigGxNflztYvODX3nGKOLfvBmHIY",
  ].join(""),
};

const KEY_ID = "only-in-tests";

/** The public key, as the makers publish theirs. */
export const PUBLIC = {
  kty: "RSA",
  n: PRIVATE.n,
  e: PRIVATE.e,
  alg: "RS256",
  use: "sig",
  kid: KEY_ID,
};

type Claims = Readonly<Record<string, unknown>>;

export const signToken = (claims: Claims, kid = KEY_ID): Promise<string> =>
  sign({ ...claims }, { ...PRIVATE, alg: "RS256", kid } as never);

/** A token by another key, which says that it is this one. */
export async function forgeToken(claims: Claims): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign"])) as CryptoKeyPair;
  const other = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return sign({ ...claims }, { ...other, alg: "RS256", kid: KEY_ID } as never);
}

/** Publishes the key at a URL, until the test's mocks are restored. */
export function publishKeys(host: string, path: string, more: Claims = {}): void {
  serveAt(host, ({ url }) =>
    url.pathname === path
      ? Response.json({ keys: [{ ...PUBLIC, ...more }] })
      : new Response(null, { status: 404 }),
  );
}
