// A server under `npm run serve` as senders and people see it: pages by SMTP, answers, mail to integrations, addresses of
// clients, and what waits while it is killed.
import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api, type Target, type World } from "../crash/load/load.ts";
import { makeWorld } from "../crash/load/world.ts";
import { type Mailbox, openMailbox } from "../support/serve/mailbox.ts";
import {
  makeAccount,
  makePlace,
  type Place,
  removePlace,
  runtimeOf,
  type Server,
  signIn,
  startServer,
} from "../support/serve/server.ts";
import { EMAIL, freePort, PASSWORD } from "../support/worker/dev-worker.ts";

/** Of the layers (seconds). */
const TIMEOUTS = [20, 60];

let mailbox: Mailbox;
let place: Place;
let server: Server;
let target: Target;
let world: World;
let mailPort: number;

beforeAll(async () => {
  mailbox = await openMailbox();
  mailPort = await freePort();
  place = await makePlace({
    ...{ SMTP_URL: mailbox.url, EMAIL_FROM: "pager@acme.com", MAIL_PORT: String(mailPort) },
    ...{ LOG_PAGES: "on" },
  });
  const { key, accountUserId } = await makeAccount(place);
  server = await startServer(place);
  target = { url: () => place.url, key };
  world = await makeWorld(target, accountUserId, 2, TIMEOUTS);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await mailbox.close();
  removePlace(place);
});

const send = (body: object, headers: Readonly<Record<string, string>> = {}, team = 0) =>
  fetch(`${place.url}/integration/${world.integrations[team]}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${target.key}`, ...headers },
    body: JSON.stringify(body),
  });

const pagesAbout = (title: string) =>
  mailbox.letters.filter(({ subject }) => subject.includes(title) && subject.includes("[HIGH]"));

const statusOf = async (title: string) => {
  const { data } = (await api(target, "/alerts")) as unknown as {
    data: { title: string; status: string }[];
  };
  return data.find((it) => it.title === title)?.status;
};

const PATIENCE = { timeout: 120_000, interval: 50 };

test("a webhook pages by SMTP, and the link in the mail answers it", async () => {
  const response = await send({ event_type: "create", Id: "1", Title: "Disk is full" });
  expect(response.status).toBe(200);
  await expect.poll(() => pagesAbout("Disk is full"), PATIENCE).toHaveLength(1);
  const [page] = pagesAbout("Disk is full");
  expect(page).toMatchObject({ to: "person.1.0@example.com" });
  expect(page?.messageId).toMatch(/^<\w+@acme\.com>$/);

  const link = /http:\/\/127\.0\.0\.1:\d+\/a\/\S+/.exec(page?.text ?? "")?.[0] ?? "";
  const shown = await fetch(link);
  expect([shown.status, await shown.text()]).toEqual([
    200,
    expect.stringContaining("Disk is full"),
  ]);
  const answered = await fetch(link, {
    method: "POST",
    body: new URLSearchParams({ action: "acknowledge" }),
  });
  expect(answered.status).toBe(200);
  await expect.poll(() => statusOf("Disk is full"), PATIENCE).toBe("acknowledged");
});

test("what waits goes on after a kill, at the time it had", async () => {
  const sentAt = Date.now();
  await send({ event_type: "create", Id: "2", Title: "Fan has stopped" });
  await expect.poll(() => pagesAbout("Fan has stopped"), PATIENCE).toHaveLength(1);
  await server.kill();
  server = await startServer(place);
  await expect.poll(() => pagesAbout("Fan has stopped"), PATIENCE).toHaveLength(2);
  const [, next] = pagesAbout("Fan has stopped");
  expect(next?.to).toBe("person.1.1@example.com");
  // Not before; how soon after depends on when the server was up again.
  expect((next?.at ?? 0) - sentAt).toBeGreaterThanOrEqual((TIMEOUTS[0] ?? 0) * 1_000);
});

test("a runtime that crashes is started again, and senders are asked to come back", async () => {
  process.kill(runtimeOf(place), "SIGKILL");
  const statuses: number[] = [];
  await expect
    .poll(async () => {
      const body = { event_type: "create", Id: "4", Title: "Link is down" };
      const response = await send(body);
      if (response.status === 503) expect(response.headers.get("retry-after")).toBe("5");
      statuses.push(response.status);
      return response.status;
    }, PATIENCE)
    .toBe(200);
  expect(new Set(statuses)).toEqual(new Set([503, 200]));
  await expect.poll(() => pagesAbout("Link is down"), PATIENCE).toHaveLength(1);
});

test("a mail to an integration opens an alert; to anybody else it is refused", async () => {
  const type = await api(target, "/integration_types/email");
  const { intake_key: intakeKey } = await api(target, "/integrations", {
    ...{ name: "Mail", urgency: "high", integration_type_id: type.id, team_ids: world.teamIds },
  });
  const transport = createTransport({ host: "127.0.0.1", port: mailPort, ignoreTLS: true });
  const mail = (to: string) =>
    transport.sendMail({ from: "probe@acme.com", to, subject: "Backup failed", text: "No space." });
  await expect(mail("postmaster@pager.acme.com")).rejects.toMatchObject({ responseCode: 550 });
  await expect(mail(`${"0".repeat(32)}@pager.acme.com`)).rejects.toMatchObject({
    responseCode: 550,
  });
  expect((await mail(`${intakeKey}@pager.acme.com`)).response).toMatch(/^250/);
  await expect.poll(() => statusOf("Backup failed"), PATIENCE).toBe("open");
});

test("a mail server that says nothing about one person's mail holds nobody else's", async () => {
  const isHeld = () => mailbox.waiting.size > 0;
  for (const Id of ["2", "4"]) await send({ event_type: "resolve", Id });
  for (const title of ["Fan has stopped", "Link is down"]) {
    await expect.poll(() => statusOf(title), PATIENCE).toBe("resolved");
  }
  let overtaken = false;
  // On a busy machine the server may give the held one up first, which shows nothing.
  for (let n = 0; n < 4 && !overtaken; n += 1) {
    mailbox.silentTo = "person.1.0@example.com";
    await send({ event_type: "create", Id: `held ${n}`, Title: `Held ${n}` });
    await expect.poll(isHeld, PATIENCE).toBe(true);
    await send({ event_type: "create", Id: `other ${n}`, Title: `Other ${n}` }, {}, 1);
    await expect
      .poll(() => {
        const found = pagesAbout(`Other ${n}`).length > 0;
        overtaken ||= found && isHeld();
        return found;
      }, PATIENCE)
      .toBe(true);
    mailbox.silentTo = null;
    // It is sent again. Nothing of this round is under way in the next one.
    await expect.poll(() => pagesAbout(`Held ${n}`).length, PATIENCE).toBeGreaterThan(0);
    await send({ event_type: "resolve", Id: `held ${n}` });
    await send({ event_type: "resolve", Id: `other ${n}` }, {}, 1);
    await expect.poll(() => statusOf(`Held ${n}`), PATIENCE).toBe("resolved");
    await expect.poll(() => statusOf(`Other ${n}`), PATIENCE).toBe("resolved");
  }
  expect(overtaken).toBe(true);
});

test("a stranger's word about a client's address counts for nothing", async () => {
  const forged = { "X-Forwarded-For": "203.0.113.9", "CF-Connecting-IP": "203.0.113.9" };
  await send({ event_type: "create", Id: "3", Title: "Who is there" }, forged);
  await expect.poll(() => statusOf("Who is there"), PATIENCE).toBeDefined();
  const logs = JSON.stringify(await api(target, "/logs"));
  expect(logs).not.toContain("203.0.113.9");
  expect(logs).toContain('"remote_ip":"127.0.0.1"');
});

test("a console gets live updates", async () => {
  const signedIn = await signIn(place, EMAIL, PASSWORD);
  const cookies = signedIn.headers.getSetCookie().map((line) => line.split(";")[0]);
  const headers = {
    ...{ Connection: "Upgrade", Upgrade: "websocket", Origin: place.url },
    ...{ "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" },
    Cookie: cookies.join("; "),
  };
  const opened = request(`${place.url}/live?since=${Date.now()}`, { headers });
  const [response, socket] = await new Promise<[IncomingMessage, Duplex]>((done, fail) => {
    opened.on("upgrade", (...upgraded) => done([upgraded[0], upgraded[1]]));
    opened.on("response", ({ statusCode }) => fail(new Error(`answered ${statusCode}`)));
    opened.on("error", fail).end();
  });
  expect(response.headers["sec-websocket-accept"]).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  // A text of four letters, with a mask of zeros.
  socket.write(Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from("ping")]));
  await expect.poll(() => received, PATIENCE).toContain("pong");
  socket.destroy();
});

test("what it logs are objects", () => {
  expect(server.lines.filter((it) => it.message?.startsWith("not JSON"))).toEqual([]);
  expect(server.lines.every((it) => typeof it.time === "string" && it.level !== undefined)).toBe(
    true,
  );
});
