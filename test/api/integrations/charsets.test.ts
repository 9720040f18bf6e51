// The platform's decoders: events in the charsets of old senders keep their names, and two names are two alerts.
import { exports } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { encode } from "../../support/integrations/encoders.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;
beforeAll(async () => {
  account = await makeAccount();
  teamId = (await makeTeam(account, [{ seconds: 60, people: [account.accountUserId] }])).id;
});

test.each([
  ["windows-1251", "; charset=windows-1251", "Диск", "Сеть"],
  ["shift_jis", "; charset=Shift_JIS", "電源", "電池"],
  ["utf-16le", "; charset=utf-16", "Диск", "電源"],
  ["windows-1252", "", "Kühlung A", "Kählung A"],
])("%s", async (charset, declared, ...names) => {
  const { prefixId, id } = await makeIntegration(account, [teamId]);
  for (const name of names) {
    const body = JSON.stringify({ event_type: "create", Id: name, Title: `${name} is down` });
    const { status } = await exports.default.fetch(`https://tocsin.test/integration/${prefixId}`, {
      method: "POST",
      headers: { "Content-Type": `application/json${declared}` },
      body: encode(body, charset),
    });
    expect(status).toBe(200);
  }
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts?source_id=${id}`);
    const shown = body.data.map((it: { thirdparty_id: string }) => it.thirdparty_id);
    expect(shown.sort()).toEqual(names.sort());
  }, soon);
});
