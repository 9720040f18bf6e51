// Adding several people at once: by the API, and from pasted addresses in the console.
import { expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { freshEmail } from "../../support/people/people.ts";
import { signInAdmin } from "../../support/worker/console.ts";

test("an import answers for each entry, stops at none, and can be repeated", async () => {
  const { api, accountUserId } = await makeAccount();
  const team = await api("POST", "/teams", {
    name: "Payments",
    member_account_user_ids: [accountUserId],
    admin_account_user_ids: [accountUserId],
  });
  const [ana, ben] = [freshEmail(), freshEmail()];
  const body = {
    people: [
      { email: ana, name: "Ana Silva" },
      { email: ` ${ben.toUpperCase()} ` },
      { email: ana },
      { email: "nobody" },
    ],
    member_team_ids: [team.body.prefix_id],
    roles: { broadcaster: true },
  };
  const imported = await api("POST", "/account_users/import", body);
  expect(imported.status, imported.text).toBe(200);
  const statuses = (reply: typeof imported) =>
    reply.body.results.map(({ status }: { status: string }) => status);
  expect(statuses(imported)).toEqual(["added", "added", "repeated", "invalid"]);
  expect(imported.body.added_count).toBe(2);
  expect(imported.body.results[3].message).toContain("is not an e-mail address");
  const [id] = imported.body.results.map((it: { account_user_id: string }) => it.account_user_id);
  const { body: person } = await api("GET", `/account_users/${id}`);
  expect(person.user.name).toBe("Ana Silva");
  expect(person.roles).toMatchObject({ broadcaster: true, admin: false });
  expect(person.team_ids).toEqual([team.body.id]);
  const again = await api("POST", "/account_users/import", body);
  expect(statuses(again)).toEqual(["member", "member", "repeated", "invalid"]);
  expect(again.body.results[0].account_user_id).toBe(id);
  const unknown = { ...body, member_team_ids: ["tem_AAAAAAAAAAAAAA"] };
  expect((await api("POST", "/account_users/import", unknown)).status).toBe(422);
  const many = { people: Array.from({ length: 51 }, () => ({ email: freshEmail() })) };
  expect((await api("POST", "/account_users/import", many)).status).toBe(422);
});

test("the console shows what becomes of each pasted line, and what is left stays", async () => {
  const account = await makeAccount();
  const browser = await signInAdmin(account);
  const [ana, ben] = [freshEmail(), freshEmail()];
  const addresses = `Ana Silva <${ana}>\n${ben}; nobody\n${ana}`;
  const checked = await browser.submit("/people", { addresses });
  expect(checked.text).toContain("Invite 2 people");
  for (const word of ["repeated", "not an e-mail address"]) expect(checked.text).toContain(word);
  const fields = { addresses, confirmed: "yes", once: crypto.randomUUID() };
  const invited = await browser.submit("/people", fields);
  expect(invited.text).toContain("2 people added.");
  expect(/<textarea[^>]*>([^<]*)</.exec(invited.text)?.[1]).toBe("nobody");
  expect((await browser.submit("/people", fields)).text).not.toContain("refused");
  const list = await browser.get("/people");
  for (const text of ["Ana Silva", ben]) expect(list.text).toContain(text);
  expect((await account.api("GET", "/account_users")).body.total_count).toBe(3);
});
