// The settings of `npm run serve`: its file, its flags, and whom it believes about the addresses of clients.
import { describe, expect, test } from "vitest";
import { clientAddress, parseProxies } from "../../../src/setup/serve/client-address.ts";
import { parseServeArguments } from "../../../src/setup/serve/serve-arguments.ts";
import {
  canCall,
  checkSettings,
  privateHostsOf,
  strayLine,
} from "../../../src/setup/serve/settings.ts";

const KNOWN = {
  PUBLIC_URL: "",
  EMAIL_FROM: "tocsin@example.com",
  JURISDICTION: "",
  MAILGUN_API: "",
  ...{
    STANDBY_OF: "",
    STANDBY_AFTER: "",
    STANDBY_PROBE: "",
    STANDBY_SECONDS: "20",
    STANDBY_URL: "",
  },
};
const PUBLIC_URL = "https://pager.example.com";
const BACKUP_KEY = "a secret of at least thirty-two characters";
/** What a standby needs. */
const STANDBY = { PUBLIC_URL, BACKUP_KEY, STANDBY_OF: "https://primary.example.com" };

describe("the address of a client", () => {
  test.each<[string, string, string | undefined, string, string]>([
    ["no proxy is named", "198.51.100.7", "203.0.113.9", "", "198.51.100.7"],
    ["another proxy is named", "198.51.100.7", "203.0.113.9", "10.0.0.0/8", "198.51.100.7"],
    ["the proxy is named", "10.1.2.3", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"],
    [
      "the proxy is named, and the client forges",
      "10.1.2.3",
      "1.1.1.1, 203.0.113.9",
      "10.1.2.3",
      "203.0.113.9",
    ],
    [
      "two proxies are named",
      "10.1.2.3",
      "1.1.1.1, 203.0.113.9, 10.9.9.9",
      "10.0.0.0/8",
      "203.0.113.9",
    ],
    ["only the second is named", "10.1.2.3", "203.0.113.9, 192.0.2.1", "10.0.0.0/8", "192.0.2.1"],
    ["the named proxy says nothing", "10.1.2.3", undefined, "10.0.0.0/8", "10.1.2.3"],
    ["the named proxy says nonsense", "10.1.2.3", "203.0.113.9, unknown", "10.0.0.0/8", "10.1.2.3"],
    ["all are named", "10.1.2.3", "10.4.4.4", "10.0.0.0/8", "10.4.4.4"],
    ["the peer is a mapped address", "::ffff:10.1.2.3", "203.0.113.9", "10.0.0.0/8", "203.0.113.9"],
    ["the proxy adds ports", "10.1.2.3", "203.0.113.9:4711", "10.0.0.0/8", "203.0.113.9"],
    ["the proxy adds brackets", "::1", "[2001:db8::9]:443", "::1", "2001:db8::9"],
    ["a network of IPv6", "fd00::5", "2001:db8::9", "fd00::/8", "2001:db8::9"],
    ["two settings", "fd00::5", "203.0.113.9", "10.0.0.1, fd00::/8", "203.0.113.9"],
    ["there is no peer", "", "203.0.113.9", "10.0.0.0/8", ""],
  ])("where %s", (_, peer, forwardedFor, setting, expected) => {
    const proxies = parseProxies(setting);
    expect(proxies && clientAddress(peer, forwardedFor, proxies)).toBe(expected);
  });

  test.each(["caddy", "10.0.0.0/33", "10.0.0.0/", "fd00::/129", "10.0.0", "*"])(
    "%s names no proxy",
    (setting) => {
      expect(parseProxies(setting)).toBeNull();
    },
  );
});

describe("the file of settings", () => {
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["no address", {}, /PUBLIC_URL must be the address/],
    ["an address with a path", { PUBLIC_URL: `${PUBLIC_URL}/tocsin` }, /PUBLIC_URL must be/],
    ["a name that nothing reads", { PUBLIC_URL, SMTP_HOST: "x" }, /unknown names: SMTP_HOST/],
    ["a jurisdiction", { PUBLIC_URL, JURISDICTION: "eu" }, /for Cloudflare only/],
    ["a server without a sender", { PUBLIC_URL, SMTP_URL: "smtp://x" }, /EMAIL_FROM is missing/],
    ["no server's address", { PUBLIC_URL, SMTP_URL: "mail.example.com" }, /SMTP_URL must be/],
    ["no port", { PUBLIC_URL, MAIL_PORT: "smtp" }, /MAIL_PORT must be/],
    [
      "an admin without an account",
      { PUBLIC_URL, ADMIN_EMAIL: "a@b.co" },
      /ACCOUNT_NAME is missing/,
    ],
    ["an account without an admin", { PUBLIC_URL, ACCOUNT_NAME: "Acme" }, /needs ADMIN_EMAIL/],
    ["no proxy", { PUBLIC_URL, TRUSTED_PROXY: "caddy" }, /TRUSTED_PROXY must be/],
    ["a standby without a key", { ...STANDBY, BACKUP_KEY: "" }, /STANDBY_OF needs BACKUP_KEY/],
    ["a standby with a short key", { ...STANDBY, BACKUP_KEY: "short" }, /needs BACKUP_KEY.* 32/],
    [
      "a standby of a name",
      { ...STANDBY, STANDBY_OF: "primary" },
      /^STANDBY_OF must be an address/,
    ],
    ["a standby after a name", { ...STANDBY, STANDBY_AFTER: "b:80" }, /^STANDBY_AFTER must be/],
    [
      "a probe without a scheme",
      { ...STANDBY, STANDBY_PROBE: "probe.example.com/ready" },
      /^STANDBY_PROBE must be/,
    ],
    ["no address of the standby", { PUBLIC_URL, STANDBY_URL: "ftp://x" }, /^STANDBY_URL must be/],
    ...["0", "-5", "0.5", "1000", "20s", "1e3"].map(
      (STANDBY_SECONDS): [string, Readonly<Record<string, string>>, RegExp] => [
        `${STANDBY_SECONDS} seconds`,
        { ...STANDBY, STANDBY_SECONDS },
        /^STANDBY_SECONDS must be a whole number/,
      ],
    ),
    [
      "a standby with an account",
      { ...STANDBY, ACCOUNT_NAME: "Acme", ADMIN_EMAIL: "a@b.co" },
      /^STANDBY_OF is set/,
    ],
  ])("with %s", (_, values, refused) => {
    expect(checkSettings(values, KNOWN)).toEqual({ refused: expect.stringMatching(refused) });
  });

  test("a standby has the address of its primary, and what it may have beside", () => {
    const more = {
      ...{
        STANDBY_AFTER: "http://10.0.0.7:8787",
        STANDBY_PROBE: "https://probe.example.com/ready",
      },
      STANDBY_SECONDS: "5",
    };
    for (const values of [STANDBY, { ...STANDBY, ...more }]) {
      expect(checkSettings(values, KNOWN)).toMatchObject({ variables: values, first: null });
    }
  });

  test.each([
    ["A=1\n\n# a comment\n  B = 2 # and\nC=\n", null],
    ["A=1\nBACKUP_KEY: x\n", 2],
    ["STANDBY_OF https://x\nA=1", 1],
    ["PEM=\"-----BEGIN\nabc\n-----END\"\nB='x\ny'\n", null],
    ['PEM="-----BEGIN\nabc\n-----END"\n  export\n', 4],
    ["PEM=-----BEGIN\nabc\n", 2],
  ])("of %j, the line that is no NAME=value: %j", (text, expected) => {
    expect(strayLine(text)).toBe(expected);
  });

  test("the worker gets its own variables and secrets, and nothing of the host's", () => {
    const values = {
      ...{ PUBLIC_URL: `${PUBLIC_URL}/`, METRICS_TOKEN: "m", BACKUP_KEY: "b" },
      ...{ SMTP_URL: "smtps://u:p@mail.example.com", EMAIL_FROM: "pager@example.com" },
      ...{ MAIL_PORT: "25", ACCOUNT_NAME: "Acme", ADMIN_EMAIL: "Ada@acme.com" },
    };
    expect(checkSettings(values, KNOWN)).toMatchObject({
      variables: {
        PUBLIC_URL,
        METRICS_TOKEN: "m",
        BACKUP_KEY: "b",
        EMAIL_FROM: "pager@example.com",
      },
      ...{ publicUrl: PUBLIC_URL, smtpUrl: values.SMTP_URL, mailPort: 25 },
      first: { account: "Acme", email: "ada@acme.com" },
    });
    const { variables } = checkSettings(values, KNOWN) as { variables: object };
    expect(Object.keys(variables)).toHaveLength(4);
  });

  test("without a server of mail and a provider, nobody can be called", () => {
    const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_FROM: "+15005550006" };
    expect(canCall({ PUBLIC_URL, EMAIL_FROM: "pager@example.com", ...twilio }, null)).toBe(false);
    expect(canCall({ EMAIL_PROVIDERS: "resend" }, "smtp://mail.example.com")).toBe(false);
    expect(canCall({}, "smtp://mail.example.com")).toBe(true);
    expect(canCall({ RESEND_API_KEY: "re_1" }, null)).toBe(true);
    expect(canCall({ ...twilio, TWILIO_AUTH_TOKEN: "t" }, null)).toBe(true);
  });

  test("hosts of the private network are those that the operator has entered", () => {
    const variables = {
      OIDC_ISSUER: "https://login.acme.lan/realm",
      ALLOWED_HOSTS: "chat.lan:8065, x",
    };
    expect(privateHostsOf({ ...variables, ACCOUNT_NAME: "Acme" })).toEqual([
      "login.acme.lan",
      "chat.lan:8065",
      "x",
    ]);
  });
});

describe("the flags", () => {
  const paths = ["--config", "tocsin.env", "--state", "/srv/tocsin"];
  test("paths count from the folder of the command", () => {
    expect(parseServeArguments(paths, "/etc")).toEqual({
      ...{ config: "/etc/tocsin.env", state: "/srv/tocsin", host: "127.0.0.1", port: 8787 },
    });
  });

  test.each([
    [["--state", "x"], /--config needs a file/],
    [["--config", "x"], /--state needs a folder/],
    [[...paths, "--port", "70000"], /--port must be/],
    [[...paths, "--host", ""], /--host needs an address/],
    [[...paths, "--demo"], /--demo/],
  ])("%j", (flags, refused) => {
    expect(parseServeArguments(flags, "/")).toEqual({ refused: expect.stringMatching(refused) });
  });
});
