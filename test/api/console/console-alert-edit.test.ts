// Editing an alert on its page: only edited fields are sent, the timeline records the changes, and the page shows them.
import { expect, test } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Browser, signIn, signInAdmin } from "../../support/worker/console.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

async function world() {
  const account = await makeAccount();
  const member = await makePerson(account, "Mia Member");
  const team = await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }]);
  const { body: alert } = await account.api("POST", "/alerts", {
    title: "The lamp is out",
    description: "It is dark.",
    urgency: "high",
    tags: ["lamp", "north, east"],
    meta: { shop: 7 },
    destination_team_ids: [team.id],
  });
  return { account, member, alert, path: `/alerts/${alert.prefix_id}` };
}

/** The form's fields as a browser sends them without edits. */
async function fieldsOf(browser: Browser, path: string): Promise<Record<string, string>> {
  const { text } = await browser.get(`${path}/edit`);
  const hidden = [...text.matchAll(/name="(was_\w+)" value="([^"]*)"/g)];
  return {
    ...Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value])),
    title: "The lamp is out",
    description: "It is dark.",
    urgency: "high",
    tags: "lamp\r\nnorth, east",
    incident_severity: "SEV-UNKNOWN",
    incident_message: "",
  };
}

const read = async (account: Account, alert: { id: string }) => {
  const { body } = await account.api("GET", `/alerts/${alert.id}`);
  const { body: log } = await account.api("GET", `/logs/${alert.id}`);
  return { body, timeline: log.details.sublogs.map((it: { message: string }) => it.message) };
};

test("a member marks an incident and edits other fields, which the timeline and the page show", async () => {
  const { account, member, alert, path } = await world();
  const browser = await signIn(member.accountUserId);
  const before = await browser.get(path);
  expect(before.text).toContain(`href="${path}/edit"`);
  const fields = await fieldsOf(browser, path);
  const changed = await browser.submit(`${path}/edit`, {
    ...fields,
    title: "Both lamps are out",
    urgency: "critical",
    tags: "lamp\r\n\r\n south ",
    incident: "true",
    incident_severity: "SEV-2",
    incident_message: "Ships <b>wait</b>",
  });
  expect(changed.to).toBe(path);
  expect(changed.text).toContain("<strong>Incident SEV-2</strong>");
  expect(changed.text).toContain("Ships &lt;b&gt;wait&lt;/b&gt;");
  const { body, timeline } = await read(account, alert);
  expect(body).toMatchObject({
    title: "Both lamps are out",
    description: "It is dark.",
    urgency: "critical",
    tags: ["lamp", "south"],
    meta: { shop: 7, incident: true, incident_severity: "SEV-2" },
    status: "open",
  });
  const changes =
    "title (was “The lamp is out”), urgency (high → critical), tags, incident (SEV-2)";
  expect(timeline).toContain(`Changed by Mia Member: ${changes}, incident message`);
  const list = await browser.get("/alerts?incident=true");
  expect(list.text).toContain("SEV-2 incident");
});

test("fields that were not edited are not sent, so that concurrent changes remain", async () => {
  const { account, member, alert, path } = await world();
  const browser = await signIn(member.accountUserId);
  const fields = await fieldsOf(browser, path);
  const meta = { shop: 8, incident: true, incident_severity: "SEV-1" };
  await account.api("PUT", `/alerts/${alert.id}`, { title: "Renamed", tags: ["x"], meta });
  const { timeline } = await read(account, alert);
  expect((await browser.submit(`${path}/edit`, fields)).to).toBe(path);
  expect((await read(account, alert)).timeline).toEqual(timeline);
  await browser.submit(`${path}/edit`, { ...fields, description: "" });
  const { body } = await read(account, alert);
  expect(body).toMatchObject({ title: "Renamed", tags: ["x"], meta, description: null });
});

test("an incident is unmarked; an error is shown at its field, and the input is redisplayed", async () => {
  const { account, alert, path } = await world();
  await account.api("PUT", `/alerts/${alert.id}`, {
    meta: { incident: true, incident_severity: "SEV-3", incident_message: "Wait" },
  });
  const browser = await signInAdmin(account);
  const initial = await fieldsOf(browser, path);
  const fields = { ...initial, incident_message: "Wait" };
  const wrong = await browser.submit(`${path}/edit`, {
    ...{ ...fields, title: " ", incident: "true", incident_severity: "SEV-9" },
    description: "Still <i>dark</i>",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('id="field-title-faults"');
  expect(wrong.text).toContain('id="field-incident-severity-faults"');
  expect(wrong.text).toContain("Still &lt;i&gt;dark&lt;/i&gt;");
  expect(wrong.text).toContain(`name="was_title" value="${initial.was_title}"`);
  const changed = await browser.submit(`${path}/edit`, fields);
  expect(changed.text).not.toContain("<strong>Incident");
  const { body, timeline } = await read(account, alert);
  expect(body).toMatchObject({
    incident: false,
    incident_severity: null,
    incident_message: "Wait",
  });
  expect(timeline.at(-1)).toBe("Changed by Ada Admin: no incident any more");
});

test("only members can edit, and only admins can delete", async () => {
  const { account, member, alert, path } = await world();
  const stranger = await signInAdmin(await makeAccount());
  expect((await stranger.get(`${path}/edit`)).status).toBe(404);
  for (const what of ["edit", "delete"]) {
    expect((await stranger.submit(`${path}/${what}`, { title: "Mine" })).status).toBe(404);
  }
  const plain = await signIn(member.accountUserId);
  expect((await plain.get(`${path}/edit`)).text).not.toContain("Delete alert");
  await plain.submit(`${path}/delete`);
  expect((await read(account, alert)).body.title).toBe("The lamp is out");
  const admin = await signInAdmin(account);
  expect((await admin.get(`${path}/edit`)).text).toContain("Delete alert");
  expect((await admin.submit(`${path}/delete`)).to).toBe("/alerts");
  expect((await account.api("GET", `/alerts/${alert.id}`)).status).toBe(404);
});
