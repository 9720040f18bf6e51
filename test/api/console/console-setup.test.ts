// The configuration pages: what admins do there, how errors are shown, and what others cannot do.
import { describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { bodyOf, formsOf } from "../../support/api/forms.ts";
import { signIn, signInAdmin, submitConfirmed } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
const LISTS = [
  "/configuration",
  "/on-call",
  "/integrations",
  "/routers",
  "/notification_rules",
  "/calendars?view=windows",
  "/broadcasts",
  "/people",
  "/api_keys",
];

const only = async (account: Account, path: string) => {
  const { body } = await account.api("GET", path);
  return body.data[0];
};

/** The first step that each empty list links to, for an admin. */
const FIRST: Readonly<Record<string, string>> = {
  "/alerts": "/teams/new",
  "/on-call": "/teams/new",
  "/reports": "/integrations",
  "/integrations": "/teams/new",
  "/routers": "/teams/new",
  "/notification_rules": "/notification_rules/new",
  "/calendars?view=windows": "/integrations",
  "/broadcasts": "/broadcasts?add=1",
};

/** The link of the button that replaces an empty list. */
const firstStep = (text: string) =>
  /<div class="empty">.*?<\/div>/s.exec(text)?.[0].match(/href="([^"]+)"/)?.[1];

describe("an empty account", () => {
  test("shows and links the first step on each page", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    for (const path of LISTS) expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    for (const [path, first] of Object.entries(FIRST)) {
      expect([path, firstStep((await browser.get(path)).text)]).toEqual([path, first]);
      expect([first, (await browser.get(first)).status]).toEqual([first, 200]);
    }
    for (const path of ["/people", "/api_keys"]) {
      const { text } = await browser.get(path);
      expect([path, text.includes(`action="${path}"`)]).toEqual([path, true]);
    }
    await makeTeam(account, [{ seconds: 60, people: [] }]);
    for (const path of ["/integrations", "/routers"]) {
      expect(firstStep((await browser.get(path)).text)).toBe(`${path}/new`);
    }
    const { body } = await account.api("GET", "/schedules");
    const path = `/schedules/${body.data[0].prefix_id}`;
    expect(firstStep((await browser.get(path)).text)).toBe(`${path}/rotations/new?template=weekly`);
  });

  test("links no page that a member cannot open", async () => {
    const account = await makeAccount();
    const member = await makePerson(account, "Mia Member");
    const browser = await signIn(member.accountUserId);
    for (const path of Object.keys(FIRST)) {
      const { text } = await browser.get(path);
      expect([path, text.includes('class="empty"')]).toEqual([path, true]);
      const first = firstStep(text);
      if (first === undefined) continue;
      expect([path, first, (await browser.get(first)).status]).toEqual([path, first, 200]);
    }
  });
});

describe("a team", () => {
  test("is created, updated and deleted", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const me = account.accountUserId;
    const wrong = await browser.submit("/teams", { name: " ", "member_account_user_ids[]": [""] });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('id="field-name-faults"');
    const alone = await browser.submit("/teams", { name: "A", "member_account_user_ids[]": [""] });
    expect(alone.text).toContain("at least one person");
    const made = await browser.submit("/teams", {
      name: "Payments",
      "member_account_user_ids[]": ["", me],
      "admin_account_user_ids[]": ["", me],
      drop_notifications: "team_all",
    });
    expect(made.to).toMatch(/^\/teams\/tem_/);
    await browser.submit(made.to, {
      name: "Money",
      "member_account_user_ids[]": me,
      "admin_account_user_ids[]": me,
      handoff_notifications: "team_admins",
    });
    const team = await only(account, "/teams");
    expect(team).toMatchObject({ name: "Money", handoff_notifications: "team_admins" });
    expect(team.schedule_id).not.toBeNull();
    await browser.submit(`${made.to}/delete`);
    expect(await only(account, "/teams")).toBeUndefined();
  });
});

describe("an escalation policy", () => {
  test("shows who is notified when; its layers are updated, added and removed", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
    const browser = await signInAdmin(account);
    const path = `/escalation_policies/${team.policyId}`;
    const { text } = await browser.get(path);
    expect(text).toContain("No shifts");
    expect(text).toContain(`/schedules/${team.scheduleId}/rotations/new?layer=1`);
    const before = await only(account, "/escalation_policies");
    await browser.submit(path, {
      name: "Slow",
      repeat: "1",
      "layers[0][id]": before.escalation_layers[0].id,
      "layers[0][layer]": "1",
      "layers[0][timeout]": "7",
      "layers[0][timeout_unit]": "minutes",
      "layers[1][layer]": "2",
      "layers[1][timeout]": "9",
      "layers[1][timeout_unit]": "hours",
      "layers[2][layer]": "3",
      "layers[2][timeout]": "",
    });
    const after = await only(account, "/escalation_policies");
    expect(after).toMatchObject({ name: "Slow", repeat: 1 });
    const layers = (policy: typeof after) =>
      policy.escalation_layers.map((it: any) => `${it.layer} ${it.timeout} ${it.timeout_unit}`);
    expect(layers(after)).toEqual(["1 7 minutes", "2 9 hours"]);
    await browser.submit(path, {
      name: "Slow",
      repeat: "1",
      "layers[0][id]": after.escalation_layers[0].id,
      "layers[0][layer]": "1",
      "layers[0][timeout]": "",
    });
    expect(layers(await only(account, "/escalation_policies"))).toEqual(["2 9 hours"]);
  });

  test("adds, removes and moves steps without scripts, and saves them together", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 300, people: [account.accountUserId] }]);
    const browser = await signInAdmin(account);
    const path = `/escalation_policies/${team.policyId}`;
    /** What the form on a page would submit. */
    const fieldsIn = (text: string) => {
      const form = formsOf(text).find(({ action }) => action.startsWith("/escalation_policies/"));
      if (!form) throw new Error(text);
      const { form_token: _, row: __, ...fields } = bodyOf(form);
      return fields;
    };
    const waits = (text: string) =>
      [...text.matchAll(/aria-label="Timeout"[^>]*value="(\d*)"/g)].map(([, value]) => value);
    const shown = await browser.get(path);
    expect(waits(shown.text)).toEqual(["300"]);
    expect(shown.text).toMatch(/Step 1 .*at once.*Ada Admin.*>in .*Payments/s);
    const added = await browser.submit(path, { ...fieldsIn(shown.text), row: "add" });
    expect([added.status, waits(added.text)]).toEqual([200, ["300", "10"]]);
    expect(added.text).toMatch(/Step 2 .*after 5 min/s);
    expect(added.text).toContain("rotations/new?layer=2");
    const moved = await browser.submit(path, { ...fieldsIn(added.text), row: "up 2" });
    expect(waits(moved.text)).toEqual(["10", "300"]);
    const removed = await browser.submit(path, { ...fieldsIn(moved.text), row: "remove 2" });
    expect(waits(removed.text)).toEqual(["10"]);
    const stored = async () =>
      (await only(account, "/escalation_policies")).escalation_layers.map(
        (it: any) => `${it.layer} ${it.timeout} ${it.timeout_unit}`,
      );
    expect(await stored()).toEqual(["1 300 seconds"]);
    expect((await browser.submit(path, fieldsIn(moved.text))).text).toContain("Changes saved.");
    expect(await stored()).toEqual(["1 10 minutes", "2 300 seconds"]);
  });
});

describe("an integration", () => {
  test("is created by its type with the type's options, updated and tested", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 60, people: [account.accountUserId] }]);
    const browser = await signInAdmin(account);
    expect((await browser.get("/integrations/new")).text).toContain("Prometheus");
    const form = await browser.get("/integrations/new?type=webhook");
    const types = (await browser.get(`/integrations/new?team=${team.id}`)).text;
    const [, path = ""] = /href="(\/integrations\/new\?[^"]*type=webhook[^"]*)"/.exec(types) ?? [];
    const ofTeam = (await browser.get(path.replaceAll("&amp;", "&"))).text;
    expect(ofTeam).toMatch(new RegExp(`<input[^>]*value="${team.id}"[^>]* checked`));
    expect(form.text).toContain('name="option_token"');
    const type = /name="integration_type_id" value="([^"]+)"/.exec(form.text)?.[1] ?? "";
    const fields = { integration_type_id: type, urgency: "high", enabled: "true" };
    const wrong = await browser.submit("/integrations", { ...fields, name: "Shop" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("Choose whom it goes to: a team, a router or a person.");
    const made = await browser.submit("/integrations", {
      ...fields,
      name: "Shop",
      "team_ids[]": ["", team.id],
      option_token: "sesame",
      "boxes[]": "option_capture_additional_data",
      option_capture_additional_data: "true",
    });
    expect(made.to).toMatch(/^\/integrations\/int_/);
    expect(made.text).toMatch(/https:\/\/tocsin\.test\/integration\/[\w-]{41}"/);
    expect(made.text).not.toContain("sesame");
    const stored = await only(account, "/integrations");
    expect(stored.options).toMatchObject({ token: "***", capture_additional_data: true });
    await browser.submit(made.to, {
      ...fields,
      name: "Shop",
      "team_ids[]": ["", team.id],
      option_token: "***",
      "boxes[]": "option_capture_additional_data",
    });
    const changed = await only(account, "/integrations");
    expect(changed.options).toMatchObject({ token: "***", capture_additional_data: false });
    const tested = await browser.submit(`${made.to}/test`);
    expect(tested.to).toContain("#log");
    await vi.waitFor(
      async () => expect((await only(account, "/alerts"))?.title).toMatch(/^Test of Shop: /),
      soon,
    );
  });

  test("shows recent events, and marks unmatched ones", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
    const integration = await makeIntegration(account, [team.id]);
    await integration.send({ event_type: "resolve", Id: "nobody", Title: MARKUP });
    const browser = await signInAdmin(account);
    const path = `/integrations/${integration.prefixId}`;
    await expect
      .poll(async () => (await browser.get(path)).text, { timeout: 60_000 })
      .toContain(">unmatched<");
    const { text } = await browser.get(`${path}/log`);
    expect(text).toContain("&lt;img src=x");
    expect(text).not.toContain("<img src=x");
  });
});

describe("a maintenance window", () => {
  test("is created in its own time zone, and shows its times in it", async () => {
    const account = await makeAccount();
    const team = await makeTeam(account, [{ seconds: 60, people: [] }]);
    const integration = await makeIntegration(account, [team.id]);
    const browser = await signInAdmin(account);
    const fields = {
      name: "Upgrade",
      start_datetime: "2026-07-01T22:00",
      end_datetime: "2026-07-02T02:00",
      time_zone: "Berlin",
    };
    const wrong = await browser.submit("/maintenance_windows", fields);
    expect(wrong.text).toContain("at least one integration");
    const made = await browser.submit("/maintenance_windows", {
      ...fields,
      "integration_ids[]": ["", integration.id],
    });
    expect(made.text).toContain('value="2026-07-01T22:00"');
    const window = await only(account, "/maintenance_windows");
    expect(window.start_datetime).toBe("2026-07-01T20:00:00.000Z");
  });
});

describe("a broadcast", () => {
  test("is sent, answered, and shows the responses", async () => {
    const account = await makeAccount();
    const person = await makePerson(account, "Pia Payments");
    const browser = await signInAdmin(account);
    const wrong = await browser.submit("/broadcasts", {
      title: "Fire drill",
      response_requested: "true",
      "options[]": ["", ""],
    });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("Fire drill");
    expect(wrong.text).toContain("Enter at least one");
    const fields = {
      title: "Fire drill",
      response_requested: "true",
      "options[]": ["Out", "Still in", ""],
      "destination_account_user_ids[]": ["", person.accountUserId],
    };
    const question = await browser.submit("/broadcasts", fields);
    expect([question.status, question.text]).toEqual([
      200,
      expect.stringMatching(/<strong>1 person<\/strong>.*E-mail<\/dt><dd>1 person/s),
    ]);
    expect((await account.api("GET", "/broadcasts")).body.total_count).toBe(0);
    const sent = await browser.submit("/broadcasts", { ...fields, confirmed: "yes" });
    expect(sent.to).toMatch(/^\/broadcasts\/bro_/);
    const theirs = await signIn(person.accountUserId);
    await expect
      .poll(async () => (await theirs.get(sent.to)).text, { timeout: 60_000 })
      .toContain("Your response");
    const option = /name="option" value="([^"]+)"/.exec((await theirs.get(sent.to)).text)?.[1];
    await theirs.submit(`${sent.to}/responses`, { option: option ?? "" });
    const shown = await browser.get(sent.to);
    expect(shown.text).toContain("Pia Payments");
    expect(shown.text).toMatch(/<td data-title="Response">Out<\/td>/);
    expect((await theirs.get("/broadcasts?add=1")).status).toBe(403);
  });
});

describe("people and keys", () => {
  test("a person is invited, given a role, and removed", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const wrong = await browser.submit("/people", { addresses: "" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('id="field-addresses-faults"');
    const email = `pia.${account.accountId}@example.com`;
    await browser.submit("/people", { addresses: `Pia <${email}>`, role_broadcaster: "true" });
    const find = async () =>
      (await account.api("GET", "/account_users")).body.data.find(
        (it: any) => it.user.name === "Pia",
      );
    const pia = await find();
    expect(pia.roles).toMatchObject({ broadcaster: true, admin: false });
    await browser.submit(`/people/${pia.prefix_id}`, { role_admin: "true" });
    expect((await find()).roles).toMatchObject({ broadcaster: false, admin: true });
    await submitConfirmed(browser, `/people/${pia.prefix_id}/remove`);
    expect(await find()).toBeUndefined();
  });

  test("a key is shown once, and is revoked", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const made = await browser.submit("/api_keys", { name: "Terraform", read_only: "true" });
    const key = /value="([^"]+)" aria-label="New API key"/.exec(made.text)?.[1] ?? "";
    expect(key.length).toBeGreaterThan(20);
    expect((await browser.get("/api_keys")).text).not.toContain(key);
    const { body } = await account.api("GET", "/api_keys?name=Terraform");
    expect(body.data[0].read_only).toBe(true);
    await browser.submit(`/api_keys/${body.data[0].prefix_id}/revoke`);
    expect((await account.api("GET", "/api_keys?name=Terraform")).body.total_count).toBe(0);
  });
});

/** Creates one record of each kind, named in markup. */
async function createRecords(account: Account) {
  const name = MARKUP;
  const team = await makeTeam(account, [{ seconds: 60, people: [] }], { name });
  const integration = await makeIntegration(account, [team.id]);
  const made = async (path: string, body: Record<string, unknown>) =>
    `${path}/${(await account.api("POST", path, { name, ...body })).body.prefix_id}`;
  return [
    `/teams/${team.id}`,
    `/escalation_policies/${team.policyId}`,
    `/integrations/${integration.prefixId}`,
    `/integrations/${integration.prefixId}/log`,
    await made("/routers", { default_receiver_team_id: team.id }),
    await made("/notification_rules", {}),
    await made("/maintenance_windows", {
      start_datetime: "2026-07-01T20:00:00Z",
      end_datetime: "2026-07-01T21:00:00Z",
      time_zone: "UTC",
      integration_ids: [integration.id],
    }),
    await made("/broadcasts", { title: MARKUP, destination_team_ids: [team.id] }),
    `/people/${account.accountUserId}`,
  ];
}

/** The lists in which a member may create records of their own. */
const OWN_RECORDS = ["/api_keys", "/notification_rules"];

describe("permissions", () => {
  test("a plain member sees the pages without buttons, and cannot change anything", async () => {
    const account = await makeAccount();
    const paths = await createRecords(account);
    const member = await makePerson(account, "Mia Member");
    const browser = await signIn(member.accountUserId);
    for (const path of [...LISTS, ...paths]) {
      const { status, text } = await browser.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect([
        path,
        />(Save changes|Create [\w ]+|Invite people|Delete [\w ]+)</.test(text),
      ]).toEqual([path, OWN_RECORDS.includes(path)]);
    }
    for (const path of paths.filter((it) => !it.endsWith("/log"))) {
      const before = (await account.api("GET", path.replace("/people/", "/account_users/"))).body;
      for (const what of ["", path.startsWith("/people/") ? "/remove" : "/delete"]) {
        await browser.submit(`${path}${what}`, { name: "Mine", role_admin: "true" });
      }
      const after = (await account.api("GET", path.replace("/people/", "/account_users/"))).body;
      expect([path, after]).toEqual([path, before]);
    }
  });

  test("ids of another account are not found, and markup is escaped", async () => {
    const account = await makeAccount(MARKUP);
    const paths = await createRecords(account);
    const own = await signInAdmin(account);
    for (const path of [...LISTS, ...paths]) {
      const { status, text } = await own.get(path);
      expect([path, status, text.includes("<img src=x")]).toEqual([path, 200, false]);
    }
    const stranger = await signInAdmin(await makeAccount());
    for (const path of paths) {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
      const changed = await stranger.submit(path, { name: "Mine" });
      expect([path, changed.status]).toEqual([path, 404]);
    }
  });
});

test("the receivers of a router do not offer the router itself", async () => {
  const account = await makeAccount();
  const routers = await Promise.all(
    ["Sea lights", "Sea marks"].map(async (name) => {
      const default_receiver_account_user_id = account.accountUserId;
      const router = { name, default_receiver_account_user_id, rules: "rules: []" };
      const { status, body, text } = await account.api("POST", "/routers", router);
      expect(status, text).toBe(201);
      return body.id as string;
    }),
  );
  const browser = await signInAdmin(account);
  const offered = async (more: string) => {
    const { text } = await browser.get(`/choices?from=receivers&q=Sea${more}`);
    return JSON.parse(text).choices.map(({ value }: { value: string }) => value);
  };
  expect((await offered("")).toSorted()).toEqual(routers.map((id) => `router ${id}`).toSorted());
  expect(await offered(`&except=${routers[0]}`)).toEqual([`router ${routers[1]}`]);
  const offers = async (path: string) => {
    const { text } = await browser.get(path);
    return routers.filter((id) => text.includes(`value="router ${id}"`));
  };
  expect(await offers(`/routers/${routers[0]}`)).toEqual([routers[1]]);
  expect(await offers("/routers/new")).toEqual(routers);
});

test("an admin picks the owner of an API key, a member has only keys of their own", async () => {
  const account = await makeAccount();
  const grace = await makePerson(account, "Grace");
  const admin = await signInAdmin(account);
  expect((await admin.get("/api_keys")).text).toContain('name="account_user_id"');
  await admin.submit("/api_keys", { name: "Hers", account_user_id: grace.accountUserId });
  const member = await signIn(grace.accountUserId);
  expect((await member.get("/api_keys")).text).not.toContain('name="account_user_id"');
  await member.submit("/api_keys", { name: "Mine", account_user_id: account.accountUserId });
  const { data } = (await account.api("GET", "/api_keys")).body;
  const owners = new Map(data.map((it: any) => [it.name, it.account_user_id]));
  expect([owners.get("Hers"), owners.get("Mine")]).toEqual([
    grace.accountUserId,
    grace.accountUserId,
  ]);
});
