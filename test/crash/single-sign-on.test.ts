// Single sign-on with a provider that does not state whether an address is verified, like Microsoft
// Entra: a real provider and the real worker.
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Entra, newJar, signInBy, startEntra } from "../support/access/entra.ts";
import {
  type Built,
  deleteState,
  freePort,
  type Running,
  startWorker,
} from "../support/worker/dev-worker.ts";
import { buildCrashWorker } from "./shared-build.ts";

const EMAIL = "bea@example.com";

type SentMail = {
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text: string;
};

const mails: SentMail[] = [];
const mailService = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    mails.push(JSON.parse(Buffer.concat(parts).toString()) as SentMail);
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ id: `mail-${mails.length}` }));
  });
});

let built: Built;
let running: Running;
let entra: Entra;
let base: string;

beforeAll(async () => {
  built = await buildCrashWorker("single-sign-on");
  const [port, providerPort, mailPort] = [await freePort(), await freePort(), await freePort()];
  base = `http://127.0.0.1:${port}`;
  await new Promise<void>((done) => mailService.listen(mailPort, "127.0.0.1", done));
  entra = await startEntra(providerPort, `${base}/sign-in/back`);
  const variables = {
    PUBLIC_URL: base,
    RATE_LIMITS: "off",
    LINK_SECRET: "only the tests sign with this",
    RESEND_API_KEY: "none",
    PROVIDER: `http://127.0.0.1:${mailPort}`,
    OIDC_ISSUER: entra.issuer,
    OIDC_CLIENT_ID: entra.clientId,
    OIDC_CLIENT_SECRET: entra.clientSecret,
    OIDC_NAME: "Entra",
  };
  running = await startWorker(built, port, variables, "/sign-in");
});

afterAll(async () => {
  await running?.kill();
  entra?.stop();
  mailService.close();
  if (built) deleteState(built);
});

const signIn = (jar: ReturnType<typeof newJar>, login: string) =>
  signInBy(jar, `${base}/sign-in/with?to=%2Fon-call`, `${base}/sign-in/back`, login);

async function mailedLink(nth: number): Promise<string> {
  const sent = () => mails.filter(({ subject }) => subject === "Confirm your sign-in");
  for (let waits = 0; sent().length < nth && waits < 200; waits += 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return (
    /http:\/\/127\.0\.0\.1:\d+\/sign-in\/link\/[\w.-]+/.exec(sent()[nth - 1]?.text ?? "")?.[0] ?? ""
  );
}

test("links a person once by a mailed link, then identifies them by issuer and subject", async () => {
  entra.people.set("bea", { email: EMAIL });
  const jar = newJar();
  const first = await signIn(jar, "bea");
  expect([first.status, (await first.text()).includes("Check your e-mail")]).toEqual([401, true]);
  const link = await mailedLink(1);
  expect(link).not.toBe("");

  // The link is valid only in the browser that requested it, and only for this subject.
  expect((await newJar().ask(link)).status).toBe(410);
  entra.people.set("mallory", { email: EMAIL });
  const other = newJar();
  expect((await signIn(other, "mallory")).status).toBe(401);
  expect((await other.ask(link, { method: "POST" })).status).toBe(410);

  expect((await jar.ask(link)).status).toBe(200);
  const entered = await jar.ask(link, { method: "POST" });
  expect(entered.status).toBe(303);
  expect((await jar.ask(`${base}/alerts`)).status).toBe(200);

  // The subject identifies the person even if the address at the provider changes.
  entra.people.set("bea", { email: "bea.married@example.com" });
  const later = await signIn(newJar(), "bea");
  expect([later.status, later.headers.get("location")]).toEqual([303, "/on-call"]);
  // Another subject with the same address is not signed in as that person.
  expect((await signIn(newJar(), "mallory")).status).toBe(401);
});

test("accepts an address in a domain that the tenant has verified (xms_edov)", async () => {
  entra.people.set("edov", { email: EMAIL, xms_edov: true });
  const entered = await signIn(newJar(), "edov");
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/on-call"]);
});

test("ignores `email_verified`, since anybody can create a tenant", async () => {
  entra.people.set("eve", { email: EMAIL, email_verified: true });
  expect((await signIn(newJar(), "eve")).status).toBe(401);
});
