// Measures how soon an answer ends what asks for it on the other channels: from the request that
// acknowledges an alert to the request that each provider gets.
import { setTimeout as pause } from "node:timers/promises";
import { updateSecret } from "../../../src/products/messengers/telegram.ts";
import { line, ms, summary } from "../measure.ts";
import type { Prepared, Server } from "../server.ts";
import { ENDED, type Ended, type Providers, startProviders } from "./providers.ts";

const ALERTS = 40;
/** No answer takes longer to end everything (ms). */
const TIMEOUT_MS = 10_000;
const BUDGET_MS = 2_000;

const BOT_TOKEN = "1:bench";

const settingsOf = ({ url }: Providers) => ({
  ALLOWED_HOSTS: new URL(url).host,
  PUBLIC_URL: "https://tocsin.example",
  LINK_SECRET: "only the measurements know this secret",
  TWILIO_API: url,
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "bench",
  TWILIO_FROM: "+14155550100",
  PUSHOVER_API: url,
  PUSHOVER_TOKEN: "bench",
  TELEGRAM_API: url,
  TELEGRAM_BOT_TOKEN: BOT_TOKEN,
});

/** Prints the section; returns the violated budgets. */
export async function answers(
  bench: Prepared,
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const providers = await startProviders();
  try {
    const settings = { ...variables, ...settingsOf(providers) };
    return await bench.during(settings, (server) => measure(server, providers));
  } finally {
    providers.stop();
  }
}

async function measure(server: Server, providers: Providers): Promise<string[]> {
  await beReachable(server, providers);
  const times = new Map<Ended, number[]>(ENDED.map((it) => [it, []]));
  const faults: string[] = [];
  for (let i = 0; i < ALERTS; i += 1) {
    const id = await ring(server, providers);
    providers.endedAt.clear();
    const answeredAt = Date.now();
    await server.api(`/alerts/${id}/acknowledge`, {});
    await until(() => providers.endedAt.size === ENDED.length);
    for (const ended of ENDED) {
      const at = providers.endedAt.get(ended);
      if (at === undefined) faults.push(`${ended}: not within ${TIMEOUT_MS} ms`);
      else times.get(ended)?.push(at - answeredAt);
    }
  }
  console.log(`\n${line(`${ALERTS} alerts acknowledged by the API`, "measured", "budget")}`);
  for (const [ended, measured] of times) {
    const found = summary(measured);
    console.log(line(`answer sent -> ${ended}`, ms(found), `p99 <= ${BUDGET_MS / 1000} s`));
    if (found.p99 > BUDGET_MS) faults.push(`${ended}: p99 ${found.p99} ms`);
  }
  return faults;
}

/** Waits until a condition holds, or the time is over. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await holds()) && Date.now() < deadline) await pause(10);
}

type Notification = { readonly status: string };

/** Creates an alert; returns its id once its person is asked on every channel. */
async function ring(server: Server, providers: Providers): Promise<string> {
  const before = providers.taken;
  const alert = await server.api("/alerts", {
    title: "Disk full",
    urgency: "critical",
    destination_account_user_ids: [server.accountUserId],
  });
  await until(() => providers.taken >= before + ENDED.length);
  await until(async () => {
    const path = `/alerts/${alert.id}/notifications`;
    const { data } = await server.get<{ data: readonly Notification[] }>(path);
    return data.length >= ENDED.length && data.every(({ status }) => status === "sent");
  });
  return alert.id ?? "";
}

/** Gives the first account's person a number, Pushover and Telegram, as they would themselves. */
async function beReachable(server: Server, providers: Providers): Promise<void> {
  const { api, get, headers, url } = server;
  const code = () => /\b\d{6}\b/.exec(providers.lastText)?.[0];
  const me = await get<{ user: { id: string } }>(`/account_users/${server.accountUserId}`);
  const changed = await fetch(`${url}/api/v4/users/${me.user.id}`, {
    method: "PUT",
    headers,
    body: JSON.stringify({
      phones_attributes: [{ phone: "+14155550123" }],
      ...{ notify_email: false, notify_sms: false, notify_voice: true },
    }),
  });
  if (!changed.ok) throw new Error(await changed.text());
  const { phones } = (await changed.json()) as { phones: readonly { id: string }[] };
  await api(`/phones/${phones[0]?.id}/send_code`, {});
  await api(`/phones/${phones[0]?.id}/confirm`, { code: code() });

  const pushover = await api("/channel_addresses", {
    channel: "pushover",
    settings: { user_key: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG" },
  });
  await api(`/channel_addresses/${pushover.id}/send_code`, {});
  await api(`/channel_addresses/${pushover.id}/confirm`, { code: code() });

  const telegram = await api("/channel_addresses", { channel: "telegram" });
  const sent = await api(`/channel_addresses/${telegram.id}/send_code`, {});
  const start = new URL(sent.link_url ?? "").searchParams.get("start");
  const linked = await fetch(`${url}/callbacks/telegram`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Telegram-Bot-Api-Secret-Token": updateSecret(BOT_TOKEN),
    },
    body: JSON.stringify({
      update_id: 1,
      message: { message_id: 1, chat: { id: 7, type: "private" }, text: `/start ${start}` },
    }),
  });
  if (!linked.ok) throw new Error(await linked.text());
}
