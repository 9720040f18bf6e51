// `npm run soak:chats`: the tokens of Google Chat and Teams are judged as their makers' own libraries
// judge them. Installs the libraries, which are large, so it is not part of `npm test`.
import { spawnSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSignedByGoogleChat } from "../../src/features/notifications/chat/google-chat-signature.ts";
import { isSignedByTeams } from "../../src/features/notifications/chat/teams-signature.ts";
import { forgeToken, PUBLIC, signToken } from "../support/providers/chat/maker-key.ts";

const LIBRARIES = ["botframework-connector@4.23.3", "google-auth-library@11.3.4"];

const home = mkdtempSync(join(tmpdir(), "chats-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));
const install = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", home, ...LIBRARIES];
if (spawnSync("npm", install, { stdio: "inherit", cwd: home }).status !== 0) {
  throw new Error("the libraries could not be installed");
}
const require = createRequire(join(home, "node_modules/_"));
const { ChannelValidation, SimpleCredentialProvider } = require("botframework-connector");
const { OAuth2Client } = require("google-auth-library");

/** What the keys of the Bot Connector are for, of one that is for Teams and of one that is not. */
const ENDORSED: Readonly<Record<string, readonly string[]>> = {
  "/teams": ["webchat", "msteams"],
  "/others": ["webchat"],
};

const server = createServer((request, response) => {
  const [, of = "", what = ""] = /^(\/\w+)\/(keys|openid)$/.exec(request.url ?? "") ?? [];
  const metadata = { jwks_uri: `${base()}${of}/keys` };
  const keys = { keys: [{ ...PUBLIC, endorsements: ENDORSED[of] }] };
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(what === "keys" ? keys : metadata));
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
function base(): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

type Claims = Readonly<Record<string, unknown>>;

const APP = "66666666-7777-8888-9999-aaaaaaaaaaaa";
const PROJECT = "123456789012";
const SERVICE = "https://smba.trafficmanager.net/emea/";
const CHAT = "chat@system.gserviceaccount.com";
const now = Math.floor(Date.now() / 1000);

const isAccepted = (judged: Promise<unknown>): Promise<boolean> =>
  judged.then(
    () => true,
    () => false,
  );

async function judgedByMicrosoft(token: string, keys: string, service: string): Promise<boolean> {
  ChannelValidation.OpenIdMetadataEndpoint = `${base()}${keys}/openid`;
  const credentials = new SimpleCredentialProvider(APP, "");
  const header = `Bearer ${token}`;
  return isAccepted(
    ChannelValidation.authenticateChannelTokenWithServiceUrl(
      header,
      credentials,
      service,
      "msteams",
    ),
  );
}

const pem = createPublicKey({ key: { ...PUBLIC }, format: "jwk" }).export({
  type: "spki",
  format: "pem",
});

const judgedByGoogle = (token: string): Promise<boolean> =>
  isAccepted(
    new OAuth2Client().verifySignedJwtWithCertsAsync(token, { [PUBLIC.kid]: pem }, PROJECT, [CHAT]),
  );

const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });

const ENDLESS = "without an end";

/** The times and the people of a token, as its maker makes it, and what may be wrong with it. */
const CASES: readonly (readonly [name: string, claims: Claims])[] = [
  ["as it is made", {}],
  ["that has expired within the tolerance", { exp: now - 240 }],
  ["that has expired", { exp: now - 400 }],
  ["of another issuer", { iss: "https://accounts.google.com" }],
  ["for somebody else", { aud: "somebody" }],
  ["without an audience", { aud: undefined }],
  [ENDLESS, { exp: undefined }],
];

// Microsoft's library writes to it of each key that does not fit.
console.error = () => {};

let differences = 0;
function compare(name: string, ours: unknown, theirs: boolean): void {
  // A token that never ends is refused here, whatever a library says.
  const isSame = ours === theirs || (ours === false && name.includes(ENDLESS));
  if (!isSame) differences += 1;
  console.log(`${isSame ? "same" : "DIFFERENT"}: ${name}: ${ours}, they say ${theirs}`);
}

for (const make of [signToken, forgeToken]) {
  for (const [name, claims] of CASES) {
    const maker = make === forgeToken ? "forged" : "signed";
    const times = { iat: now - 500, exp: now + 3_000 };
    const google = await make({ iss: CHAT, aud: PROJECT, ...times, ...claims });
    const ours = await isSignedByGoogleChat(
      PROJECT,
      bearer(google),
      Date.now(),
      `${base()}/google/keys`,
    );
    compare(`Google Chat, ${maker}, ${name}`, ours, await judgedByGoogle(google));
    for (const keys of Object.keys(ENDORSED)) {
      for (const service of [SERVICE, "https://evil.example/"]) {
        const connector = { iss: "https://api.botframework.com", aud: APP, serviceurl: SERVICE };
        const token = await make({ ...connector, ...times, ...claims });
        const body = new TextEncoder().encode(JSON.stringify({ serviceUrl: service }));
        const judged = await isSignedByTeams(
          APP,
          bearer(token),
          body,
          Date.now(),
          `${base()}${keys}/keys`,
        );
        const theirs = await judgedByMicrosoft(token, keys, service);
        compare(`Teams, ${maker}, ${name}, keys${keys}, ${service}`, judged, theirs);
      }
    }
  }
}
server.close();
console.log(differences === 0 ? "No difference." : `${differences} differences.`);
process.exitCode = differences === 0 ? 0 : 1;
