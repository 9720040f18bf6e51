// The bytes that an alert leaves in D1, row by row, from its webhook to its end. The benchmark of prices measures the pages
// that they fill; here what fills them is exact.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bodyOf } from "../../bench/price/life.ts";
import { call, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Of a page of 4,096 bytes, its header takes 8, and each row its place, its length and its number: 6. */
const ROW_OF_FIVE = Math.floor((4_096 - 8) / 5) - 6;

type Value = string | number | null;

const varint = (value: number) => (value < 128 ? 1 : value < 16_384 ? 2 : 3);

function bytesOfNumber(value: number): number {
  if (value === 0 || value === 1) return 0;
  const bits = Math.ceil(Math.log2(Math.abs(value) + 1)) + 1;
  return [1, 2, 3, 4, 6].find((bytes) => bits <= bytes * 8) ?? 8;
}

/** The bytes of a value in SQLite's record format, with its type in the record's header. */
function bytesOf(value: Value): number {
  if (value === null) return 1;
  if (typeof value === "number") return 1 + bytesOfNumber(value);
  const { length } = new TextEncoder().encode(value);
  return length + varint(13 + 2 * length);
}

/** The bytes of the only row of a table. */
async function bytesOfRow(table: string): Promise<number> {
  const columns = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{
    name: string;
  }>();
  const names = columns.results.map(({ name }) => `"${name}"`);
  const rows = await env.DB.prepare(`select ${names} from ${table}`).all<Record<string, Value>>();
  expect(rows.results, table).toHaveLength(1);
  const values = Object.values(rows.results[0] ?? {});
  // One byte more is the header's own length.
  return values.reduce<number>((sum, it) => sum + bytesOf(it), 1);
}

/** An account whose person is on call, with the integration that the benchmark sends to. */
async function world() {
  const { api, accountUserId } = await makeAccount();
  const people = [accountUserId];
  const team = await api("POST", "/teams", {
    ...{ name: "Bench", drop_notifications: "none" },
    ...{ member_account_user_ids: people, admin_account_user_ids: people },
  });
  await api("POST", "/events", {
    start_datetime: new Date(Date.now() - 3_600_000).toISOString(),
    end_datetime: new Date(Date.now() + 86_400_000).toISOString(),
    ...{ layer: 1, time_zone: "UTC" },
    ...{ schedule_ids: [team.body.schedule_id], account_user_ids: people },
  });
  const webhook = await api("GET", "/integration_types/webhook");
  const integration = await api("POST", "/integrations", {
    ...{ name: "Bench", urgency: "high", integration_type_id: webhook.body.id },
    team_ids: [team.body.id],
  });
  return { api, intake: new URL(integration.body.url).pathname };
}

test("through its life, five alerts fill a page, and neither pages nor destinations grow", async () => {
  const { api, intake } = await world();
  const event = await call("POST", intake, { body: bodyOf("filling-123") });
  expect(event.status).toBe(200);
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), soon);
  const sent = env.DB.prepare("select 1 from notifications where status = 'sent'");
  await vi.waitFor(async () => expect(await sent.first()).not.toBeNull(), soon);
  const [alert] = (await api("GET", "/alerts")).body.data;
  const lengths: number[] = [];
  const measure = async (status: string) => {
    const { body } = await api("GET", `/alerts/${alert.id}`);
    expect(body.status).toBe(status);
    lengths.push(await bytesOfRow("alerts"));
    expect(lengths.at(-1), status).toBeLessThanOrEqual(ROW_OF_FIVE);
    expect(await bytesOfRow("notifications"), status).toBeLessThanOrEqual(240);
    expect(await bytesOfRow("alert_destinations"), status).toBeLessThanOrEqual(83);
  };
  await measure("open");
  await api("POST", `/alerts/${alert.id}/acknowledge`, {});
  await measure("acknowledged");
  await api("POST", `/alerts/${alert.id}/resolve`, {});
  await measure("resolved");
  // A row that grows splits its page, which stays half empty.
  expect(Math.max(...lengths)).toBe(lengths[0]);
});
